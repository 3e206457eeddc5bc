"""Times other programs on the files of `cargo bench --bench read`.

Run with `python3 benches/peers/read.py` after the benchmark has made its files. Each package that is installed reads the
files from the page cache, five times; the median is shown. Files are read into columns or arrays; nothing is drawn.

    pip install polars pyarrow pandas gemmi MDAnalysis ase ovito

`python3 benches/peers/read.py make` writes the array as tables in Parquet and in Arrow's format, for both.
"""

import importlib
import pathlib
import statistics
import sys
import time

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "target" / "read"
REPEATS = 5


def polars(module, path):
    if path.suffix == ".arrow":
        # from bytes, because polars would map the file without reading it
        return module.read_ipc(path.read_bytes()).height
    return (module.read_parquet if path.suffix == ".parquet" else module.read_csv)(path).height


def pyarrow(module, path):
    if path.suffix == ".parquet":
        return importlib.import_module("pyarrow.parquet").read_table(path).num_rows
    if path.suffix == ".arrow":
        return importlib.import_module("pyarrow.feather").read_table(path, memory_map=False).num_rows
    csv = importlib.import_module("pyarrow.csv")
    return csv.read_csv(path).num_rows


def make():
    """Writes the array as tables of four columns, with the default compression of each library."""
    rows = importlib.import_module("numpy").load(FOLDER / "uniform.npy")
    columns = dict(zip(["x", "y", "z", "radius"], rows.T.copy()))
    table = importlib.import_module("pyarrow").table(columns)
    importlib.import_module("pyarrow.parquet").write_table(table, FOLDER / "uniform.parquet")
    importlib.import_module("pyarrow.feather").write_feather(table, FOLDER / "uniform.arrow")


def pandas(module, path):
    return len(module.read_csv(path))


def ovito(module, path):
    return importlib.import_module("ovito.io").import_file(str(path)).compute().particles.count


def ase(module, path):
    return len(importlib.import_module("ase.io").read(path, index=0))


def mdanalysis(module, path):
    return len(module.Universe(str(path)).atoms)


def numpy(module, path):
    return len(module.load(path)) if path.suffix == ".npy" else module.fromfile(path, "<f4").reshape(-1, 4).shape[0]


def gemmi(module, path):
    return module.read_structure(str(path))[0].count_atom_sites()


PEERS = [
    ("uniform.csv", "polars", polars),
    ("uniform.csv", "pyarrow", pyarrow),
    ("uniform.csv", "pandas", pandas),
    ("uniform.xyz", "ovito", ovito),
    ("uniform.xyz", "ase", ase),
    ("uniform.npy", "numpy", numpy),
    ("uniform.f32", "numpy", numpy),
    ("uniform.parquet", "polars", polars),
    ("uniform.parquet", "pyarrow", pyarrow),
    ("uniform.arrow", "polars", polars),
    ("uniform.arrow", "pyarrow", pyarrow),
    ("million.pdb", "gemmi", gemmi),
    ("million.pdb", "MDAnalysis", mdanalysis),
    ("million.cif", "gemmi", gemmi),
]


def main():
    wanted = sys.argv[1:]
    if wanted == ["make"]:
        return make()
    for file, package, read in PEERS:
        path = FOLDER / file
        if wanted and package not in wanted:
            continue
        if not path.exists():
            print(f"{file:16} is missing")
            continue
        try:
            module = importlib.import_module(package)
        except ImportError:
            print(f"{file:16} {package:12} is not installed")
            continue
        times = []
        for _ in range(REPEATS):
            start = time.perf_counter()
            count = read(module, path)
            times.append(time.perf_counter() - start)
        print(f"{file:16} {package:12} {statistics.median(times):7.2f} s  {count} rows")


if __name__ == "__main__":
    main()
