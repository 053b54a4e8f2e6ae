"""Training positions: shards by seed, each a file of its own; `selfplay fit` and `selfplay export` read all of them."""

DATA_SETTINGS = {"player", "games", "nodes", "seed", "rules", "shards", "options", "threads", "export"}


def data(name, given):
    settings = dict(known(f"data: {name}", given, DATA_SETTINGS))
    games, shards = int(settings.get("games", 1000)), int(settings.get("shards", 1))
    if shards < 1 or games % shards:
        raise WorkflowError(f"data: {name}: {games} games cannot be shared out evenly among {shards} shards")
    settings.update(games=games, shards=shards, seed=int(settings.get("seed", 1)))
    settings.update(threads=int(settings.get("threads", 1)))
    return settings


DATA = {name: data(name, given) for name, given in (config.get("data") or {}).items()}


def data_shards(name):
    return [f"{OUT}/data/{name}/shard-{index}.anqi" for index in range(DATA[name]["shards"])]


DATA_FILES = [
    path
    for name, settings in DATA.items()
    for path in [*data_shards(name), *([f"{OUT}/data/{name}.parquet"] if settings.get("export") else [])]
]


def data_arguments(wildcards):
    import shlex

    settings = DATA[wildcards.dataset]
    words = ["--games", settings["games"] // settings["shards"], "--seed", settings["seed"] + int(wildcards.part)]
    for name in ("player", "nodes", "rules"):
        if name in settings:
            words += [f"--{name}", settings[name]]
    return " ".join(shlex.quote(str(word)) for word in words) + " " + settings.get("options", "")


rule data_shard:
    output:
        OUT + "/data/{dataset}/shard-{part}.anqi",
    params:
        recipe=data_arguments,
    threads: lambda wildcards: DATA[wildcards.dataset]["threads"]
    resources:
        mem_mb=1000,
    shell:
        "{SELFPLAY:q} data {params.recipe} --jobs {threads} --out {output:q} >&2"


rule data_export:
    input:
        lambda wildcards: data_shards(wildcards.dataset),
    output:
        OUT + "/data/{dataset}.parquet",
    shell:
        "{SELFPLAY:q} export {input:q} --what positions --out {output:q}"
