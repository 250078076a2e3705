"""The programs that a file calls, as far as its text names them: scripts of sh and bash, Python, C++.

A program that only a variable names is not seen. Our own programs are called by a path, and are not meant.
"""

import ast
import json
import re
import subprocess

# What sh and bash do themselves.
BUILTINS = set(""". : [ alias bg break builtin cd command compgen continue declare dirs disown echo enable eval exec exit export false fc fg getopts hash help
    history jobs kill let local logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend test times trap true type
    typeset ulimit umask unalias unset wait""".split())
# They start the program that their arguments name, after options, numbers and settings of variables.
STARTERS = {"chroot", "chrt", "command", "dbus-run-session", "env", "exec", "nice", "nohup", "setpriv", "setsid", "sudo", "time", "timeout", "unshare", "xargs"}
NO_COMMAND_YET = re.compile(r"-|\d+$|\w+=")
PROGRAM = re.compile(r"(?:(?:/usr)?/s?bin/)?([A-Za-z][\w.+-]*)$")
# tar starts the program that unpacks its file.
PACKERS = {".xz": "xz", ".zst": "zstd", ".bz2": "bzip2"}


def _name(words):
    match = PROGRAM.match(words[0]) if words and words[0] else None
    return match and match[1]


def of_words(words):
    """The programs of one command. A word is None where only the run knows it."""
    name, rest = _name(words), words[1:]
    if not name:
        return
    yield name
    if name == "trap" and rest and rest[0]:
        yield from of_shell(rest[0])
    if name in ("sh", "bash"):
        for option, script in zip(rest, rest[1:]):
            if option and script and re.match(r"-\w*c$", option):
                yield from of_shell(script)
    if name in STARTERS:
        yield from _started(rest)
    if name == "tar":
        yield from (packer for end, packer in PACKERS.items() if any(word and word.endswith(end) for word in rest))


def _started(words):
    while words and words[0] and NO_COMMAND_YET.match(words[0]):
        words = words[1:]
    return of_words(words)


def of_shell(text, known=()):
    """Its own functions start programs too: of their arguments, the first one counts where it is one of `known`."""
    run = subprocess.run(["shfmt", "--to-json"], input=text, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        raise SyntaxError(run.stderr.strip())
    tree = json.loads(run.stdout)
    functions = {node["Name"]["Value"] for node in _nodes(tree, "FuncDecl")}
    for call in _nodes(tree, "CallExpr"):
        words = [_shell_word(word) for word in call.get("Args") or []]
        if words and words[0] in functions:
            yield from (name for name in _started(words[1:]) if name in known)
        else:
            yield from (name for name in of_words(words) if name not in BUILTINS | functions)


def _nodes(tree, kind):
    if isinstance(tree, dict):
        if tree.get("Type") == kind:
            yield tree
        tree = list(tree.values())
    if isinstance(tree, list):
        for branch in tree:
            yield from _nodes(branch, kind)


def _shell_word(word):
    text = ""
    for part in word["Parts"]:
        for piece in part.get("Parts", []) if part["Type"] == "DblQuoted" else [part]:
            if piece["Type"] not in ("Lit", "SglQuoted"):
                return None
            text += piece.get("Value", "")
    return text


def of_python(text, known):
    """From the arguments of a function that starts programs; from any other list where its first word is one of `known`."""
    tree = ast.parse(text)
    constants = {target.id: node.value for node in tree.body if isinstance(node, ast.Assign) for target in node.targets if isinstance(target, ast.Name)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple)):
            words = [_python_word(word, constants) for word in node.elts]
            yield from of_words(words) if _name(words) in known else ()
        elif isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) in ("run", "which", "Popen", "execvp"):
            nodes = node.args[0].elts if node.args and isinstance(node.args[0], (ast.List, ast.Tuple)) else node.args
            if nodes and isinstance(nodes[0], ast.Constant):
                yield from of_words([_python_word(word, constants) for word in nodes])


def _python_word(node, constants):
    """A text; of a path that is put together its end, which says what kind of file it is."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else None
    if isinstance(node, ast.Name) and node.id in constants:
        return _python_word(constants[node.id], constants)
    if isinstance(node, ast.BinOp):
        return _python_word(node.right, constants)
    if isinstance(node, ast.Call) and node.args:
        return _python_word(node.args[-1], constants)
    return None


# A list that begins with the path of a program, as far as its words are whole literals.
WORDS_OF_CPP = re.compile(r'\{\s*(?="/)((?:"[^"]*"\s*[,}]\s*)+)')


def of_cpp(text):
    for match in WORDS_OF_CPP.finditer(text):
        yield from of_words(re.findall(r'"([^"]*)"', match[1]))
