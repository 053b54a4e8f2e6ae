"""Endgame tables: the layers of `tablebase plan`, small units of a layer grouped into one job."""

import json
import subprocess

TABLES = known("tables", config.get("tables"), {"pieces", "dir", "batch_positions", "memory_mb", "threads"})
TABLE_DIR = TABLES.get("dir", f"{OUT}/tables")
# A job that solves fewer positions takes less time than a cluster needs to start it.
BATCH_POSITIONS = int(TABLES.get("batch_positions", 200_000_000))
# Above this, units are solved by streaming from disk, which needs less memory.
MEMORY_MB = int(TABLES.get("memory_mb", 4_000))
TABLE_THREADS = int(TABLES.get("threads", 2))


def plan(pieces):
    """Returns the plan; it is kept in a file, since every job of a cluster reads this one again."""
    path = f"{TABLE_DIR}/plan-{pieces}.json"
    if not os.path.exists(path):
        os.makedirs(TABLE_DIR, exist_ok=True)
        made = subprocess.run([TABLEBASE, "plan", "--pieces", str(pieces)], check=True, capture_output=True)
        with open(f"{path}.{os.getpid()}", "wb") as file:
            file.write(made.stdout)
        os.replace(f"{path}.{os.getpid()}", path)
    with open(path) as file:
        return json.load(file)


def batches(units):
    """Groups the units of each layer, in order, up to so many positions a batch."""
    groups = []
    size = 0
    for unit in units:
        fits = groups and groups[-1][-1]["pieces"] == unit["pieces"] and size + unit["positions"] <= BATCH_POSITIONS
        if not fits:
            groups.append([])
            size = 0
        groups[-1].append(unit)
        size += unit["positions"]
    return {f"{group[0]['pieces']}-{group[0]['unit']}": group for group in groups}


def files(unit):
    return [f"{TABLE_DIR}/{unit}.wdl", f"{TABLE_DIR}/{unit}.dtc"]


def memory_mb(group):
    """Returns the megabytes that the largest unit of a batch needs, with a cache of smaller tables."""
    def need(unit):
        whole, streaming = unit["memory_bytes"], unit["streaming_memory_bytes"] or unit["memory_bytes"]
        return whole if whole * 4 // 3 <= MEMORY_MB << 20 else streaming

    return max(need(unit) for unit in group) * 4 // 3 // (1 << 20) + 64


BATCHES = batches(plan(int(TABLES["pieces"]))) if TABLES else {}
TABLE_FILES = [path for group in BATCHES.values() for unit in group for path in files(unit["unit"])]

for name, group in BATCHES.items():
    inside = {unit["unit"] for unit in group}

    rule:
        name: f"tables_{name.replace('-', '_')}"
        input:
            sorted({path for unit in group for need in unit["needs"] for path in files(need)}),
        output:
            [path for unit in group for path in files(unit["unit"])],
        params:
            units=",".join(unit["unit"] for unit in group),
            dir=TABLE_DIR,
        threads: TABLE_THREADS if sum(unit["positions"] for unit in group) > BATCH_POSITIONS // 10 else 1
        resources:
            mem_mb=memory_mb(group),
        message:
            f"tables of {group[0]['pieces']} pieces: {len(group)} units from {group[0]['unit']} on"
        shell:
            "{TABLEBASE:q} build --quiet --unit {params.units} --dir {params.dir:q} --jobs {threads} --memory {resources.mem_mb}M"
