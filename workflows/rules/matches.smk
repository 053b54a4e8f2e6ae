"""Matches: shards of pairs, merged and reported on.

A shard's folder is not an output: what a killed shard has finished stays there, and the same command goes on with it. Its
report is, and appears when the shard is complete.
"""

MATCH_SETTINGS = {"a", "b", "games", "seed", "rules", "deal", "shards", "options", "threads", "export"}


def match(name, given):
    """Checks a match and fills in what is not said."""
    settings = dict(known(f"matches: {name}", given, MATCH_SETTINGS))
    for needed in ("a", "b"):
        if needed not in settings:
            raise WorkflowError(f"matches: {name}: no player '{needed}'")
    games, shards = int(settings.get("games", 200)), int(settings.get("shards", 1))
    if games < 2 or games % 2:
        raise WorkflowError(f"matches: {name}: games is {games} (expected an even number; a pair is two games)")
    if not 1 <= shards <= games // 2:
        raise WorkflowError(f"matches: {name}: shards is {shards}, but {games} games have {games // 2} pairs")
    settings.update(games=games, shards=shards, threads=int(settings.get("threads", 1)))
    return settings


def arguments(settings):
    """Returns the arguments that say what match it is, quoted for the shell."""
    import shlex

    words = []
    for name in ("a", "b", "games", "seed", "rules", "deal"):
        if name in settings:
            words += [f"--{name}", str(settings[name])]
    return " ".join(shlex.quote(word) for word in words) + " " + settings.get("options", "")


MATCHES = {name: match(name, given) for name, given in (config.get("matches") or {}).items()}
MATCH_FILES = [
    f"{OUT}/matches/{name}/{file}"
    for name, settings in MATCHES.items()
    for file in ["report.json", "merged/pairs.jsonl", *(f"{table}.parquet" for table in settings.get("export", []))]
]


def shard_reports(wildcards):
    count = MATCHES[wildcards.match]["shards"]
    return [f"{OUT}/matches/{wildcards.match}/shard-{index}-of-{count}.json" for index in range(1, count + 1)]


rule match_shard:
    output:
        OUT + "/matches/{match}/shard-{part}-of-{parts}.json",
    params:
        match=lambda wildcards: arguments(MATCHES[wildcards.match]),
        folder=lambda wildcards, output: output[0].removesuffix(".json"),
    threads: lambda wildcards: MATCHES[wildcards.match]["threads"]
    resources:
        mem_mb=1000,
    shell:
        "{SELFPLAY:q} {params.match} --shard {wildcards.part}/{wildcards.parts} --jobs {threads}"
        " --out {params.folder:q} --json {output:q} >&2"


rule match_merge:
    input:
        shard_reports,
    output:
        OUT + "/matches/{match}/merged/pairs.jsonl",
        OUT + "/matches/{match}/merged/meta.json",
    params:
        folders=lambda wildcards, input: [path.removesuffix(".json") for path in input],
        out=lambda wildcards, output: os.path.dirname(output[0]),
    shell:
        "{SELFPLAY:q} merge {params.folders:q} --out {params.out:q}"


rule match_report:
    input:
        OUT + "/matches/{match}/merged/pairs.jsonl",
    output:
        json=OUT + "/matches/{match}/report.json",
        text=OUT + "/matches/{match}/report.txt",
    params:
        folder=lambda wildcards, input: os.path.dirname(input[0]),
    shell:
        "{SELFPLAY:q} analyze {params.folder:q} --json {output.json:q} >{output.text:q}"


rule match_export:
    input:
        OUT + "/matches/{match}/merged/pairs.jsonl",
    output:
        OUT + "/matches/{match}/{table,matches|games|flips}.parquet",
    params:
        folder=lambda wildcards, input: os.path.dirname(input[0]),
    shell:
        "{SELFPLAY:q} export {params.folder:q} --what {wildcards.table} --out {output:q}"
