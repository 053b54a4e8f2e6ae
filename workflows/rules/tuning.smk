"""Tuning runs: one job each, which keeps every iteration and goes on from there when it is started again."""

TUNING_SETTINGS = {"plan", "threads"}
TUNING = {name: known(f"tuning: {name}", given, TUNING_SETTINGS) for name, given in (config.get("tuning") or {}).items()}
for name, settings in TUNING.items():
    if not os.path.isfile(settings.get("plan", "")):
        raise WorkflowError(f"tuning: {name}: plan {settings.get('plan')} is no file (selfplay tune --init PLAYER writes one)")
TUNING_FILES = [f"{OUT}/tuning/{name}.json" for name in TUNING]


rule tune:
    input:
        lambda wildcards: TUNING[wildcards.run]["plan"],
    output:
        OUT + "/tuning/{run}.json",
    params:
        folder=lambda wildcards, output: output[0].removesuffix(".json"),
    threads: lambda wildcards: int(TUNING[wildcards.run].get("threads", 2))
    resources:
        mem_mb=2000,
    shell:
        "{SELFPLAY:q} tune {input:q} --out {params.folder:q} --jobs {threads} --json {output:q} >&2"
