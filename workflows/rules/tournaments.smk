"""Tournaments: every encounter is a match of its own; the tournament's command then finds all of them played."""

TOURNAMENT_SETTINGS = {"players", "gauntlet", "games", "seed", "rules", "deal", "options", "threads"}


def tournament(name, given):
    settings = dict(known(f"tournaments: {name}", given, TOURNAMENT_SETTINGS))
    players = settings.get("players") or []
    if len(players) < 2:
        raise WorkflowError(f"tournaments: {name}: players has fewer than two")
    firsts = range(1 if settings.get("gauntlet") else len(players))
    settings["encounters"] = {
        f"{first + 1:02}-{second + 1:02}": match(
            f"{name} {first + 1:02}-{second + 1:02}",
            {key: settings[key] for key in MATCH_SETTINGS & settings.keys()}
            | {"a": players[first], "b": players[second]},
        )
        for first in firsts
        for second in range(first + 1, len(players))
    }
    return settings


TOURNAMENTS = {name: tournament(name, given) for name, given in (config.get("tournaments") or {}).items()}
TOURNAMENT_FILES = [f"{OUT}/tournaments/{name}/standings.json" for name in TOURNAMENTS]


def encounter_reports(wildcards):
    encounters = TOURNAMENTS[wildcards.tournament]["encounters"]
    return [f"{OUT}/tournaments/{wildcards.tournament}/{encounter}.json" for encounter in encounters]


def tournament_arguments(wildcards):
    settings = TOURNAMENTS[wildcards.tournament]
    first = next(iter(settings["encounters"].values()))
    shared = {key: value for key, value in first.items() if key not in ("a", "b")}
    return ("--gauntlet " if settings.get("gauntlet") else "") + arguments(shared)


rule tournament_encounter:
    output:
        OUT + "/tournaments/{tournament}/{encounter,[0-9]+-[0-9]+}.json",
    params:
        match=lambda wildcards: arguments(TOURNAMENTS[wildcards.tournament]["encounters"][wildcards.encounter]),
        folder=lambda wildcards, output: output[0].removesuffix(".json"),
    threads: lambda wildcards: TOURNAMENTS[wildcards.tournament]["encounters"][wildcards.encounter]["threads"]
    resources:
        mem_mb=1000,
    shell:
        "{SELFPLAY:q} {params.match} --jobs {threads} --out {params.folder:q} --json {output:q} >&2"


rule tournament_standings:
    input:
        encounter_reports,
    output:
        json=OUT + "/tournaments/{tournament}/standings.json",
        text=OUT + "/tournaments/{tournament}/standings.txt",
    params:
        players=lambda wildcards: [f"--players={player}" for player in TOURNAMENTS[wildcards.tournament]["players"]],
        more=tournament_arguments,
        folder=lambda wildcards, output: os.path.dirname(output[0]),
    shell:
        "{SELFPLAY:q} tournament {params.players:q} {params.more} --out {params.folder:q} --json {output.json:q}"
        " >{output.text:q}"
