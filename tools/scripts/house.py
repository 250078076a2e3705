"""What the house scripts share: the files of the tree, their includes, and the tables of ARCHITECTURE.md."""

import hashlib
import pathlib
import re
import sys

COMMENT_OR_LITERAL = re.compile(r'R"(?P<mark>\w*)\(.*?\)(?P=mark)"|//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|(?<!\w)\'(?:\\.|[^\'\\\n])+\'', re.DOTALL)
FOLDERS = ("src", "drivers", "db", "hw", "firmware-host", "tools", "tests")
TEXTS = (".hpp", ".cpp", ".md", ".txt", ".cmake", ".json", ".toml", ".sql", ".yaml", ".py", ".sh", ".1", ".5", ".8", "")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def sources(root, suffixes=(".hpp", ".cpp")):
    """Every C++ file of the tree, as sorted paths relative to `root`."""
    found = (p for top in FOLDERS for p in (root / top).rglob("*") if p.suffix in suffixes and p.is_file())
    return sorted(p.relative_to(root) for p in found)


def texts(root):
    """Every file that people write, as sorted paths: sources, documents, scripts; without `build`, goldens and corpora."""
    tops = [p for p in root.iterdir() if p.name not in (".git", "build", "LICENSE")]
    files = [f for top in tops for f in (top.rglob("*") if top.is_dir() else [top])]
    skip = ("tests/golden/", "tests/fuzz/corpus/")
    return sorted(f for f in files if f.is_file() and f.suffix in TEXTS and "__pycache__" not in f.parts
                  and not str(f.relative_to(root)).startswith(skip))


def without_comments(text, literal=None):
    """C++ `text` with a space for each comment, and `literal` (nothing given: itself) for each literal."""
    def put(match):
        is_comment = match[0].startswith("/")
        return " " if is_comment else match[0] if literal is None else literal
    return COMMENT_OR_LITERAL.sub(put, text)


def includes(text):
    """(line number, "<" or '"', path) of each include in `text`."""
    return [(text.count("\n", 0, m.start()) + 1, m[1], m[2]) for m in INCLUDE.finditer(text)]


def table(root, first_heading):
    """Rows (lists of cells) of the table in ARCHITECTURE.md whose first heading cell is `first_heading`."""
    rows, inside = [], False
    for line in (root / "ARCHITECTURE.md").read_text().splitlines():
        cells = [c.strip() for c in line.strip().strip("|").split("|")] if line.startswith("|") else None
        if cells is None:
            inside = False
        elif cells[0] == first_heading:
            inside = True
        elif inside and not set(line) <= set("|- :"):
            rows.append(cells)
    if not rows:
        sys.exit(f"ARCHITECTURE.md: no table that begins with the heading '{first_heading}'")
    return rows


def names(cell):
    """The words in backticks of one cell."""
    return re.findall(r"`([^`]+)`", cell)


def module_ranks(root):
    """{module of src: rank}, and the set of those marked *later*."""
    ranks, later = {}, set()
    for rank, module, *_ in table(root, "rank"):
        for name in names(module):
            ranks[name] = int(re.search(r"\d+", rank)[0])
            if "*later*" in rank or "*later*" in module:
                later.add(name)
    return ranks, later


class Content:
    """Hashes of files together with everything of ours that they include: the key of a cached result."""

    def __init__(self, root, salt):
        self.root, self.salt, self.seen = root, salt, {}

    def closure(self, path, into=None):
        into = set() if into is None else into
        if path in into or not (self.root / path).is_file():
            return into
        into.add(path)
        for _, kind, target in includes(self.text(path)):
            if kind == '"':
                self.closure(pathlib.Path(target), into)
        return into

    def text(self, path):
        if path not in self.seen:
            self.seen[path] = (self.root / path).read_text()
        return self.seen[path]

    def key(self, path):
        whole = hashlib.sha256(self.salt.encode())
        for part in sorted(self.closure(path)):
            whole.update(f"\0{part}\0{self.text(part)}".encode())
        return whole.hexdigest()


def finish(name, faults, checked):
    """Prints the faults, or one line that says what was checked; gives the exit code."""
    for fault in faults:
        print(fault)
    print(f"{name}: {len(faults)} faults" if faults else f"{name}: {checked}, all well")
    return 1 if faults else 0
