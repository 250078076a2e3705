"""Shows that each house script can fail: a small tree that is well passes, and each fault put into it is found."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "tools/scripts"

TREE = {
    "docs/papers.md": "| short name | publication |\n| --- | --- |\n| NSB | Tang |\n",
    "docs/decisions/0001-one.md": "Formulas: docs/papers.md.\n",
    "ARCHITECTURE.md": """
| rank | module | what |
| --- | --- | --- |
| 0 | `base` | a |
| 1 | `sms` | b |
| 1 | `wire` | c |
| 3 *later* | `scaling` | d |

| folder | may include | what |
| --- | --- | --- |
| `drivers/at` | `src/base` | e |
| `tools/modem_model` | `src/base` | f |

| header | only in | library |
| --- | --- | --- |
| `sqlite3.h` | `db` | SQLite |
| `nlohmann/` | `src/wire` | JSON |

| thread | owns |
| --- | --- |
| `loop` | sockets |
| `store-w` | the database |

| step | thread | what happens |
| --- | --- | --- |
| 1 | `loop` | parse. Strictly |
| 2 | `store-w` | commit |
""",
    "README.md": "<!-- picture house -->\n<!-- end -->\n\n<!-- picture way -->\n<!-- end -->\n",
    "src/CMakeLists.txt": "smsrack_module(base)\nsmsrack_module(sms DEPENDS base)\nsmsrack_module(wire LINKS x)\n",
    "drivers/CMakeLists.txt": "smsrack_module(at DEPENDS base)\n",
    "src/base/result.hpp": "/// Source:  [NSB]; decision 1, 0001-one.md\n#pragma once\n#include <string>\n",
    "src/sms/message.hpp": '#pragma once\n#include "src/base/result.hpp"\n#include <vector>\n',
    "src/wire/json.hpp": "#pragma once\n",
    "src/wire/json.cpp": '#include "src/wire/json.hpp"\n#include <nlohmann/json.hpp>\n',
    "drivers/at/line.cpp": '#include "src/base/result.hpp"\n',
    "tools/modem_model/modem.cpp": '#include "src/base/result.hpp"\n',
    "tests/src/message_test.cpp": '#include "src/sms/message.hpp"\n',
    "toolchain/packages.txt": "# group package why\nbuild cmake # configures\ntest procps # ps\npowercut xz-utils # unpacks\n",
    "toolchain/programs.txt": "required bash sed tar # always\ngiven git\ncmake cmake ctest\nprocps ps\nxz-utils xz\n",
    "tools/build": '#!/usr/bin/env bash\nset -e\n# qemu\nsay() { echo "$(sed -n 1p x)"; }\nsay git && "$0/../x" | cmake --build "$1"\n',
    "tools/scripts/english_counts.txt": "# tree count\n. 1\nsrc 1\nsrc/sms 0\n",
    "docs/a.md": "Some" + "body reads this.\n",
    "tests/house/x_test.py": 'WORDS = ["ctest", "-V"]\nsubprocess.run(["bash", "-c", "case $1 in yes) ps | sed p ;; esac"])\n',
}


class Man(unittest.TestCase):
    """Four small programs with their pages, which agree; then each way in which they do not."""

    HELP = {
        "": "What it is.\n\nOptions:\n  -h, --help  this\n  --json      for programs\n\nSubcommands:\n  show        one\n  token       keys\n",
        "show": "One.\n\nOptions:\n  -h, --help  this\n  --wide INT  all columns\n",
        "token": "Keys.\n\nOptions:\n  -h, --help  this\n\nSubcommands:\n  new         one more\n",
        "token new": "One more.\n\nOptions:\n  -h, --help  this\n",
    }
    PAGE = (".TH X 1\n.SH OPTIONS\n.TP\n.B \\-\\-json\nFor programs.\n.SH COMMANDS\n.TP\n.BI \"show \" ID\nOne.\n.RS\n.TP\n"
            ".B \\-\\-wide\nAll columns.\n.RE\n.TP\n.B token new\nOne more.\n")
    NAMES = (("smsrack", "smsrack.1"), ("smsrackd", "smsrackd.8"), ("smsrack-gate", "smsrack-gate.8"), ("smsrack-sim", "smsrack-sim.1"), ("smsrack-bench", "smsrack-bench.1"))

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="man-"))
        self.addCleanup(shutil.rmtree, self.root)
        (self.root / "docs/man").mkdir(parents=True)
        (self.root / "bin").mkdir()
        for name, page in self.NAMES:
            self.make(name, self.HELP)
            (self.root / "docs/man" / page).write_text(self.PAGE)

    def make(self, name, help_of):
        cases = "".join(f"'{words} --help'|'{words}--help') cat <<'E'\n{text}E\n;;\n" for words, text in help_of.items())
        program = self.root / "bin" / name
        program.write_text(f'#!/bin/sh\ncase "$*" in\n{cases}*) exit 64 ;;\nesac\n')
        program.chmod(0o755)

    def run_check(self):
        return subprocess.run([SCRIPTS / "check_man", "--root", self.root, "--bin", self.root / "bin"], capture_output=True, text=True)

    def test_pages_that_agree_pass(self):
        run = self.run_check()
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def test_pages_that_differ_do_not(self):
        faults = [
            ("an option without a word", {"--wide": "--width"}, "--wide is no option of smsrack"),
            ("an option that the page lacks", {"all columns\n": "all columns\n  --new       x\n"}, "`smsrack show` has --new"),
            ("an option of the program", {"for programs\n": "for programs\n  --quiet     x\n"}, "smsrack has --quiet"),
            ("a command without an entry", {"  show        one\n": "  show        one\n  list        x\n"}, "list --help: exit status 64"),
            ("a line that is too wide", {"One.": "One" + " more" * 16}, "wider than 80 columns"),
        ]
        for what, changes, words in faults:
            with self.subTest(what):
                changed = {}
                for key, text in self.HELP.items():
                    for old, new in changes.items():
                        text = text.replace(old, new)
                    changed[key] = text
                self.make("smsrack", changed)
                run = self.run_check()
                self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
                self.assertIn(words, run.stdout)

    def test_a_command_that_the_page_lacks(self):
        (self.root / "docs/man/smsrack.1").write_text(self.PAGE.replace("token new", "token old"))
        run = self.run_check()
        self.assertEqual(run.returncode, 1)
        self.assertIn("no entry of `smsrack token new`", run.stdout)

    def test_a_page_that_is_missing(self):
        (self.root / "docs/man/smsrack-sim.1").unlink()
        run = self.run_check()
        self.assertEqual(run.returncode, 1)
        self.assertIn("docs/man/smsrack-sim.1: missing", run.stdout)


class CoverageTable(unittest.TestCase):
    """Of two objects with one header, and a function that is never called."""

    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="coverage-table-"))
        self.addCleanup(shutil.rmtree, self.root)
        files = {
            "src/base/twice.hpp": "inline int twice(int x) {\n    return x * 2;\n}\nint never(int x);\n",
            "src/base/never.cpp": '#include "src/base/twice.hpp"\nint never(int x) {\n    x += 1;\n    return twice(x);\n}\n',
            "tools/main.cpp": '#include "src/base/twice.hpp"\nint main(int count, char**) {\n    return count > 9 ? never(count) : twice(count) - 2;\n}\n',
            "tests/some.cpp": "int some() {\n    return 1;\n}\n",
        }
        for name, text in files.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        (self.root / "out").mkdir()
        sources = [str(self.root / name) for name in files if name.endswith(".cpp")]
        subprocess.run(["g++", "--coverage", f"-ffile-prefix-map={self.root}/=", f"-I{self.root}", *sources, "-o", "program"],
                       cwd=self.root / "out", check=True)

    def table(self, *more):
        return subprocess.run([str(SCRIPTS / "coverage_table"), "--root", str(self.root), "--build", str(self.root / "out"), *more],
                              capture_output=True, text=True, check=False)

    def test_each_line_of_a_module_counts_once_and_tests_do_not(self):
        subprocess.run([str(self.root / "out/program")], check=True)
        run = self.table()
        self.assertEqual(run.returncode, 0, run.stderr)
        rows = {line.split()[0]: line.split()[1:4] for line in run.stdout.splitlines()[1:]}
        self.assertEqual(rows, {"src/base": ["5", "2", "40.0"], "tools": ["2", "2", "100.0"], "all": ["7", "4", "57.1"]})
        never = self.table("--files", "src/base").stdout
        self.assertIn("never: 2-4", never)
        self.assertEqual(self.table("--files", "src/nothing").returncode, 1)

    def test_without_a_run_it_says_so(self):
        run = self.table()
        self.assertEqual(run.returncode, 1)
        self.assertIn("no *.gcda", run.stderr)


class HouseScripts(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(tempfile.mkdtemp(prefix="house-scripts-"))
        self.addCleanup(shutil.rmtree, self.root)
        for name, text in TREE.items():
            self.write(name, text)
        self.commands(["tests/src/message_test.cpp"])

    def write(self, name, text):
        (self.root / name).parent.mkdir(parents=True, exist_ok=True)
        (self.root / name).write_text(text)

    def commands(self, sources, more=""):
        entries = [{"directory": str(self.root), "file": str(self.root / s), "command": f"g++ -std=c++23 -I{self.root} -c {s} {more}"}
                   for s in sources]
        self.write("out/compile_commands.json", json.dumps(entries))

    def run_script(self, name, *more):
        args = ["--build", str(self.root / "out")] if name in ("check_alone", "check_tests_listed") else []
        return subprocess.run([str(SCRIPTS / name), "--root", str(self.root), *args, *more], capture_output=True, text=True, check=False)

    def passes(self, name, *more):
        run = self.run_script(name, *more)
        self.assertEqual(run.returncode, 0, run.stdout + run.stderr)

    def finds(self, name, words, *more):
        run = self.run_script(name, *more)
        self.assertEqual(run.returncode, 1, run.stdout + run.stderr)
        self.assertIn(words, run.stdout + run.stderr)

    def test_a_tree_without_faults_passes(self):
        for name in ("check_arrows", "check_tests_listed", "check_alone", "check_words", "check_citations", "check_programs", "check_tags", "check_english"):
            with self.subTest(name):
                self.passes(name)

    def test_arrows(self):
        faults = [
            ("a module that includes its own rank", "src/sms/a.cpp", '#include "src/wire/json.hpp"', "only lower ranks"),
            ("a module that includes a higher rank", "src/base/a.cpp", '#include "src/sms/message.hpp"', "only lower ranks"),
            ("a lower rank that is not declared", "src/wire/a.cpp", '#include "src/base/result.hpp"', "not in the DEPENDS"),
            ("src that knows a driver", "src/sms/a.cpp", '#include "drivers/at/line.hpp"', "nothing outside src"),
            ("a driver that knows the wire", "drivers/at/a.cpp", '#include "src/wire/json.hpp"', "may include only"),
            ("a model that knows the domain", "tools/modem_model/a.cpp", '#include "src/sms/message.hpp"', "may include only"),
            ("a library not behind its door", "src/sms/a.cpp", "#include <sqlite3.h>", "belongs behind"),
            ("a library's folder not behind its door", "src/sms/a.cpp", "#include <nlohmann/json.hpp>", "belongs behind"),
            ("a library without a door", "src/sms/a.cpp", "#include <curl/curl.h>", "no door"),
            ("a header of no module", "src/sms/a.cpp", '#include "elsewhere/x.hpp"', "no module"),
        ]
        for what, file, line, words in faults:
            with self.subTest(what):
                self.write(file, line + "\n")
                self.finds("check_arrows", words)
                (self.root / file).unlink()
        self.passes("check_arrows")

    def test_a_declared_dependency_on_a_higher_rank_is_found(self):
        self.write("src/CMakeLists.txt", "smsrack_module(base DEPENDS sms)\nsmsrack_module(sms DEPENDS base)\nsmsrack_module(wire)\n")
        self.finds("check_arrows", "not of lower rank")

    def test_a_test_that_is_not_built_is_found(self):
        self.write("tests/src/lost_test.cpp", "")
        self.finds("check_tests_listed", "lost_test.cpp: no program is built")

    def test_a_test_that_is_compiled_as_one_with_others_is_built(self):
        self.write("tests/db/first_test.cpp", "int a;\n")
        self.write("out/tests.dir/Unity/unity_0_cxx.cxx", f'/* generated */\n#include "{self.root}/tests/db/first_test.cpp"\n')
        self.commands(["tests/src/message_test.cpp", "out/tests.dir/Unity/unity_0_cxx.cxx"])
        self.passes("check_tests_listed")
        self.write("tests/db/second_test.cpp", "int b;\n")
        self.finds("check_tests_listed", "second_test.cpp: no program")

    def test_a_case_outside_of_the_test_files_is_found(self):
        for file in ("tests/src/fixture.hpp", "tests/src/world.cpp"):
            with self.subTest(file):
                self.write(file, 'TEST_CASE("nobody runs me") {\n}\n')
                self.finds("check_tests_listed", f"{file}: a test case that is not")
                (self.root / file).unlink()

    def test_modules_and_their_rows(self):
        self.write("src/scaling/x.hpp", "")
        self.finds("check_tests_listed", "not *later* any more")
        shutil.rmtree(self.root / "src/scaling")
        self.write("src/newcomer/x.hpp", "")
        self.finds("check_tests_listed", "src/newcomer: no row")
        shutil.rmtree(self.root / "src/newcomer")
        (self.root / "src/sms/message.hpp").unlink()
        self.finds("check_tests_listed", "module sms has no header")

    def test_a_paper_that_names_what_is_not_there_is_found(self):
        self.write("README.md", "Begin in `src/sms/nowhere`.\n")
        self.finds("check_tests_listed", "README.md:1")

    def test_a_reference_that_nobody_can_open_is_found(self):
        faults = [
            ("a document that is elsewhere", "src/sms/a.hpp", "/// Source: contract elsewhere.md.", "no document elsewhere.md"),
            ("one in a folder", "README.md", "See `docs/nothing.md`.", "no document docs/nothing.md"),
            ("a man page", "docs/a.md", "docs/man/x.1 says more.", "no document docs/man/x.1"),
            ("one by its section", "docs/a.md", "See `smsrack.x`(7).", "no man page smsrack.x(7)"),
            ("in a man page", "docs/man/x.8", "See docs/a\\-b.md.", "no document docs/a-b.md"),
            ("a decision", "docs/a.md", "As decision 2 says.", "no decision 2"),
            ("the second decision of a line", "docs/a.md", "Decisions 1 and 2.", "no decision 2"),
            ("a publication", "src/sms/a.cpp", "/// As in [EBAS].", "[EBAS] is not in docs/papers.md"),
            ("the second of a line", "src/sms/a.cpp", "/// Source: [NSB] 1; [EBAS].", "[EBAS] is not in docs/papers.md"),
            ("an issue", "tests/a.py", "# as issue 7 asks", "the text of an issue"),
        ]
        for what, file, line, words in faults:
            with self.subTest(what):
                self.write(file, line + "\n")
                self.finds("check_citations", words)
                (self.root / file).unlink()
        self.passes("check_citations")

    def test_a_picture_that_is_out_of_date_is_found(self):
        self.finds("draw_pictures", "picture way is out of date", "--check")
        self.passes("draw_pictures")
        self.passes("draw_pictures", "--check")
        drawn = (self.root / "README.md").read_text()
        self.assertIn("  1  o        |  parse\n  2  +------->o  commit\n", drawn)
        self.assertIn("| 1   sms  wire ", drawn)
        for what, old, new, words in [
            ("a module of another rank", "| 1 | `wire`", "| 2 | `wire`", "picture house is out of date"),
            ("another step", "parse.", "read.", "picture way is out of date"),
            ("a thread that is not in the table", "| 2 | `store-w`", "| 2 | `codec`", "no thread is called codec"),
        ]:
            with self.subTest(what):
                self.write("ARCHITECTURE.md", TREE["ARCHITECTURE.md"].replace(old, new))
                self.finds("draw_pictures", words, "--check")
        self.write("ARCHITECTURE.md", TREE["ARCHITECTURE.md"])
        self.write("README.md", drawn.replace("picture way", "picture no"))
        self.finds("draw_pictures", "no picture way", "--check")

    def test_a_header_that_needs_another_is_found(self):
        self.write("src/sms/needy.hpp", "#pragma once\nstd::string text();\n")
        self.finds("check_alone", "src/sms/needy.hpp: does not compile alone")

    def test_a_source_that_needs_another_header_is_found(self):
        self.write("src/sms/needy.cpp", '#include "src/base/result.hpp"\nstd::vector<int> numbers;\n')
        self.finds("check_alone", "src/sms/needy.cpp: does not compile alone")

    def test_a_shadowed_name_is_found(self):
        self.write("src/sms/shade.cpp", "int shade(int a) {\n    { int a = 1; (void)a; }\n    return a;\n}\n")
        self.finds("check_alone", "src/sms/shade.cpp: does not compile alone")

    def test_a_header_that_its_source_shows_is_not_compiled_again(self):
        before = int(re.search(r"\((\d+) compiled", self.run_script("check_alone").stdout)[1])
        self.write("src/sms/shown.hpp", "#pragma once\nstd::string text();\n")
        self.write("src/sms/shown.cpp", '#include "src/sms/shown.hpp"\n')
        self.finds("check_alone", "src/sms/shown.cpp: does not compile alone")
        self.write("src/sms/shown.hpp", "#pragma once\nint text();\n")
        self.assertGreater(before, 0)
        self.assertIn("(1 compiled here)", self.run_script("check_alone").stdout)

    def test_a_header_is_checked_again_when_what_it_includes_changes(self):
        self.write("src/sms/outer.hpp", '#pragma once\n#include "src/base/result.hpp"\ninline std::string x;\n')
        self.passes("check_alone")
        self.write("src/base/result.hpp", "#pragma once\n")
        self.finds("check_alone", "src/sms/outer.hpp")

    def test_a_header_is_shown_by_another_that_includes_it_first(self):
        self.write("src/sms/inner.hpp", "#pragma once\nstd::string text();\n")
        self.write("src/sms/outer.hpp", '#pragma once\n#include "src/sms/inner.hpp"\n')
        self.finds("check_alone", "src/sms/outer.hpp")
        self.write("src/sms/inner.hpp", "#pragma once\n")
        self.passes("check_alone")
        self.passes("check_alone")
        self.assertIn("(0 compiled here)", self.run_script("check_alone").stdout)

    def test_headers_that_include_each_other_are_compiled(self):
        self.write("src/sms/one.hpp", '#pragma once\n#include "src/sms/two.hpp"\nstd::string text();\n')
        self.write("src/sms/two.hpp", '#pragma once\n#include "src/sms/one.hpp"\n')
        self.finds("check_alone", "src/sms/one.hpp: does not compile alone")

    def test_the_hash_of_code_is_that_of_what_a_compiler_reads(self):
        def of(text, file="src/sms/a.cpp"):
            self.write(file, text)
            return subprocess.run([str(SCRIPTS / "code_hash"), "--root", str(self.root), "src"], capture_output=True, text=True, check=True).stdout
        code = "int a() {\n    return 1;\n}\n"
        first = of(code)
        for text in ("// why\n\n" + code, "int a() {\n  /* one */\n  return 1; // two\n}\n"):
            self.assertEqual(of(text), first)
        self.assertNotEqual(of(code.replace("1", "2")), first)
        self.assertNotEqual(of(code + 'auto s = "//";\n'), of(code + 'auto s = "// ";\n'))
        of(code)
        self.assertEqual(of("int test;\n", "src/sms/a_test.cpp"), first)
        self.assertNotEqual(of("x = 1\n", "src/causes/errors.toml"), first)

    def test_words(self):
        left = "TO" + "DO"
        faults = [
            ("src/sms/a.cpp", "auto t = std::chrono::steady_clock::now();", "take a Clock"),
            ("src/sms/a.cpp", "std::this_thread::sleep_for(x);", "a sleep"),
            ("drivers/at/a.cpp", "usleep(10);", "a sleep"),
            ("db/a.cpp", "int x = rand();", "take a Random"),
            ("src/sms/a.cpp", 'auto home = std::getenv("HOME");', "environment"),
            ("tests/a.cpp", f"// {left}: later", "leftover"),
            ("README.md", "See /home" + "/me/notes.", "one machine"),
        ]
        for file, line, words in faults:
            with self.subTest(line):
                self.write(file, line + "\n")
                self.finds("check_words", words)
                (self.root / file).unlink()
        self.write("src/sms/a.cpp", '// never call now() or sleep_for()\nconst char* s = "rand()"; auto t = clock.steady();\n')
        self.passes("check_words")

    def test_tags(self):
        faults = [
            ("a tag behind a sentence", "/// A clock. Time: of the machine.\n", "a.hpp:1: Time: does not start its line"),
            ("a tag at the end of a line", "/// A clock.\n/// No sleep. Source:\n/// [X].\n", "a.hpp:2: Source: does not start its line"),
            ("a tag behind another", "/// Threads: any. Errors:  none.\n", "Errors: does not start its line"),
            ("a tag in a class", "struct A {\n    /// Takes. Errors: closed.\n    int take();\n};\n", "a.hpp:2: Errors:"),
            ("a tag behind a member", "int a;  ///< of a file. Unit: octets\n", None),
            ("a comment that breaks its statement", "int a =\n    1;  // the first\n", "a.hpp:2: this comment breaks its statement"),
            ("one that breaks its call", "int b = f(\n    1);  // \"a\"\n", "a.hpp:2: this comment breaks its statement"),
            ("a statement that is too long for a line", f"int {'a' * 60} =\n    {'b' * 40};  // the first\n", None),
            ("tags, each in its line", "/// A clock.\n///\n/// Time:    of the machine.\n///          Or none.\n/// Threads, Errors: as B.\n", None),
            ("the words of a tag in a sentence", "/// Errors are rare: one a day. The Source of it is unknown.\n", None),
            ("a text", 'const char* a =\n    "// Time: 1";\n', None),
        ]
        for what, text, words in faults:
            with self.subTest(what):
                self.write("src/sms/a.hpp", text)
                self.passes("check_tags") if words is None else self.finds("check_tags", words)
        (self.root / "src/sms/a.hpp").unlink()
        self.write("db/a.hpp", faults[0][1])
        self.finds("check_tags", "db/a.hpp:1: Time: does not start its line")

    def test_english(self):
        phrase = "be" + "side"
        cases = [
            ("a comment", "src/sms/a.cpp", f"// It is {phrase} it.\n", "src/sms: 1 phrases of the word list, and 0 are allowed"),
            ("a text", "src/sms/a.cpp", f'const char* a = "{phrase.upper()}";\n', "src/sms: 1 phrases"),
            ("a long text", "src/sms/a.cpp", f'const char* a = R"x(one\n"{phrase}")x";\n', "src/sms: 1 phrases"),
            ("a name", "src/sms/a.cpp", f"int {phrase} = a.{phrase}();\n", None),
            ("part of a word", "src/sms/a.cpp", f"// {phrase}s\n", None),
            ("one that is allowed", "src/base/a.cpp", f"// {phrase}\n", None),
            ("one more than is allowed", "src/base/a.cpp", f"// {phrase}, {phrase}\n", "src: 2 phrases of the word list, and 1 are allowed"),
            ("a document", "docs/b.md", f"The one {phrase} the other.\n", ".: 2 phrases"),
            ("a script", "tools/x", f"#!/bin/sh\n# {phrase}\n", ".: 2 phrases"),
        ]
        for what, file, text, words in cases:
            with self.subTest(what):
                self.write(file, text)
                self.passes("check_english") if words is None else self.finds("check_english", words)
                (self.root / file).unlink()

    def test_counts_of_phrases_only_fall(self):
        (self.root / "docs/a.md").write_text("An operator reads this.\n")
        self.assertIn(".: only 0 phrases of 1 are left", self.run_script("check_english").stdout)
        subprocess.run([SCRIPTS / "check_english", "--root", self.root, "--lower"], check=True, capture_output=True)
        self.assertEqual((self.root / "tools/scripts/english_counts.txt").read_text(), "# tree count\n. 0\nsrc 0\nsrc/sms 0\n")
        self.write("docs/a.md", TREE["docs/a.md"])
        self.finds("check_english", "docs/a.md:1: name the caller or the component: Some" + "body reads this.")

    def test_programs(self):
        faults = [
            ("a command", "tools/test", "#!/bin/bash\nif true; then qemu -x; fi", "calls qemu, and toolchain/programs.txt does not say"),
            ("one of a group that is not installed for it", "tools/build", "#!/bin/sh\nexec nice -n 10 ps", "calls ps of procps, which toolchain/packages.txt"),
            ("one in a pipe in quotes", "tests/x.sh", '#!/bin/sh\necho "$(git log | xz)"', "calls xz of xz-utils"),
            ("one that a command starts", "tests/x.sh", "#!/bin/sh\nsudo env LC_ALL=C qemu", "calls qemu"),
            ("one for the end", "tests/x.sh", "#!/bin/sh\ntrap 'qemu stop' EXIT", "calls qemu"),
            ("what a script is given", "tests/x.sh", "#!/bin/sh\nuntil_ok() { \"$@\"; }\nuntil_ok 20 xz -d", "calls xz of xz-utils"),
            ("in Python", "tests/x_test.py", 'recipe.run("qemu", image)', "calls qemu"),
            ("in Python, in a list", "tests/x_test.py", 'f(["xz", "-d"])', "calls xz of xz-utils"),
            ("by tar", "tests/x_test.py", 'A = p / "a.tar.xz"\nsubprocess.run(["tar", "-xf", A])', "calls xz of xz-utils"),
            ("in C++", "tests/x_test.cpp", 'run({.words = {"/usr/bin/env", "qemu", port}});', "calls qemu"),
            ("in C++, by a shell", "tests/x_test.cpp", 'run({.words = {"/bin/sh", "-c", "ps | qemu"}});', "calls qemu"),
        ]
        for what, file, text, words in faults:
            with self.subTest(what):
                before = (self.root / file).read_text() if (self.root / file).exists() else None
                self.write(file, text + "\n")
                self.finds("check_programs", words)
                (self.root / file).unlink() if before is None else self.write(file, before)
        self.passes("check_programs")

    def test_a_program_is_of_the_package_that_dpkg_names(self):
        self.write("toolchain/programs.txt", TREE["toolchain/programs.txt"] + "cmake find\n")
        self.finds("check_programs", "find is of findutils here, not of cmake")
        self.write("toolchain/programs.txt", TREE["toolchain/programs.txt"] + "required g++\n")
        self.finds("check_programs", "g++ is of g++ or g++-12 here, which is not in each Debian 12")
        self.write("toolchain/programs.txt", TREE["toolchain/programs.txt"] + "mtools mcopy\n")
        self.finds("check_programs", "mtools, which has mcopy, is not in toolchain/packages.txt")

    def tidy(self):
        """check_tidy's exit code and words, with a clang-tidy that finds each source that has the word BAD."""
        self.write("bin/clang-tidy-19", '#!/bin/sh\nfor source; do :; done\n[ "$source" = --version ] && exit\necho "$source" >>read\n! grep BAD "$source"\n')
        (self.root / "bin/clang-tidy-19").chmod(0o755)
        environment = {**os.environ, "PATH": f"{self.root}/bin:{os.environ['PATH']}"}
        run = subprocess.run([str(SCRIPTS / "check_tidy"), "--root", str(self.root), "--build", str(self.root / "out")], capture_output=True, text=True,
                             check=False, env=environment)
        return run.returncode, run.stdout

    def test_each_source_is_read_by_clang_tidy_and_again_when_it_or_its_headers_change(self):
        mine = ["src/wire/json.cpp", "drivers/at/line.cpp", "tools/modem_model/modem.cpp"]
        self.write(".clang-tidy", "Checks: '*'\n")
        self.commands(mine)
        self.assertEqual(self.tidy()[0], 0)
        self.assertEqual(sorted((self.root / "read").read_text().split()), sorted(mine))
        self.write("src/wire/json.hpp", "#pragma once\nint more;\n")
        self.assertIn("3 sources (1 read now)", self.tidy()[1])
        self.commands(mine, "-O2")
        self.assertIn("3 sources (3 read now)", self.tidy()[1])
        self.write("drivers/at/line.cpp", "int BAD;\n")
        code, said = self.tidy()
        self.assertEqual((code, "drivers/at/line.cpp" in said), (1, True))
        self.assertEqual(self.tidy()[0], 1)

    def test_a_source_that_clang_tidy_can_not_read_alone_is_a_fault(self):
        self.write(".clang-tidy", "Checks: '*'\n")
        self.commands(["src/wire/json.cpp", "drivers/at/line.cpp"])
        code, said = self.tidy()
        self.assertEqual((code, "tools/modem_model/modem.cpp: no command compiles it alone" in said), (1, True))

    def together(self, one, other, most=1000):
        """Whether unity_groups lets two sources of these texts be compiled as one."""
        self.write("one.cpp", one)
        self.write("other.cpp", other)
        files = [str(self.root / "one.cpp"), str(self.root / "other.cpp")]
        run = subprocess.run([str(SCRIPTS / "unity_groups"), "--most", str(most), *files], capture_output=True, text=True, check=True)
        groups, named = zip(*(line.split(":") for line in run.stdout.splitlines()))
        self.assertEqual(sorted(named), files)
        return len(set(groups)) == 1

    def test_sources_that_disturb_each_other_are_not_compiled_as_one(self):
        own = "namespace smsrack {\nnamespace {\n%s\n}\nint f(int a) { return a; }\n}\n"
        cases = [
            ("constexpr int limit = 3;", "constexpr int bound = 3;", True, "names of their own, each another"),
            ("constexpr int limit = 3;", "constexpr long limit = 3;", False, "the same constant"),
            ("int help(int a) { return a; }", "std::vector<int> help(long a) { return {}; }", False, "the same function for other values"),
            ("template <typename T> T help(T a) { return a; }", "int g() { return help(3); }", False, "a call that would find another function"),
            ("struct Row { int a; };", "using Row = int;", False, "the same type"),
            ("enum class Kind : char { a };", "struct Kind {};", False, "the same type, an enumeration"),
            ("int a_call() { return b; }\nint later = 1;", "int later() { return 1; }", False, "a name after a function"),
            ("std::array rows{1, 2};\nint more[] = {1};", "int more = 1;", False, "a name after braces"),
            ("int help(int a) { return a; }", "int g(X x) { return x.help + x.a->help(3) + X::help; }", True, "a member of that name"),
            ("int help(int a) { return a; }", 'const char* s = "help";  // help', True, "a text and a comment"),
            ("}\nint help(int a) { return a; }\nnamespace {", "int g = help(3);", True, "a name for everyone"),
            ("}\nusing ports::Row;\nnamespace {", "int g(Row r);", False, "a name by using, which means another thing there"),
            ("}\nusing ports::Row;\nnamespace {", "}\nusing ports::Row;\nnamespace {", True, "the same name by using"),
            ("}\nusing namespace ports;\nnamespace {", "int g();", False, "the names of a namespace"),
            ("}\nusing namespace std::chrono_literals;\nnamespace {", "int g();", True, "literals"),
            ("\n#define LIMIT 3\n", "int g();", False, "a macro"),
        ]
        for one, other, expected, what in cases:
            with self.subTest(what):
                self.assertEqual(self.together(own % one, own % other), expected)
                self.assertEqual(self.together(own % other, own % one), expected)

    def test_no_more_is_compiled_as_one_than_was_asked_for(self):
        self.assertTrue(self.together("int a;\n", "int b;\n", most=14))
        self.assertFalse(self.together("int a;\n", "int b;\n", most=13))


if __name__ == "__main__":
    unittest.main()
