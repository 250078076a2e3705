#include "src/config/toml_bounds.hpp"

#include "src/config/settings.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <string>

using namespace smsrack::config;

namespace {

std::string times(int count, std::string_view piece) {
    std::string text;
    for (int i = 0; i < count; ++i) {
        text += piece;
    }
    return text;
}

}  // namespace

TEST_CASE("toml_bounds: what would overflow the stack is refused, and its line is named") {
    struct Case {
        const char* what;
        std::string text;
        int line;
    };
    for (const Case& it : {
             Case{"a key of 30,000 dots", "\n\na" + times(30'000, ".a") + " = 1\n", 3},
             Case{"with blanks and quotes", "a" + times(30'000, " . \"a\"") + " = 1\n", 1},
             Case{"a header", "x = 1\n[a" + times(30'000, ".a") + "]\n", 2},
             Case{"a header of an array", "[[a" + times(30'000, ".a") + "]]\n", 1},
             Case{"within an inline table", "t = { a" + times(30'000, ".a") + " = 1 }\n", 1},
             Case{"arrays in arrays", "a = " + times(30'000, "["), 1},
             Case{"on many lines", "a = " + times(100, "[\n"), 33},
             Case{"tables in tables", "a = " + times(30'000, "{a="), 1},
             Case{"behind a text that ends with quotes",
                  "x = [\"\"\"a\"\"\"\", 1]\ny" + times(40, ".y") + " = \"\"", 2},
             Case{"behind a text with an escaped quote", R"(x = "\"" )" + times(40, ".y"), 1},
             Case{"behind a literal text with a backslash", R"(x = '\' )" + times(40, ".y"), 1},
             Case{"behind a comment with a quote", "# \"\n" + times(40, "y."), 2},
         }) {
        CAPTURE(it.what);
        const auto excess = find_excess(it.text);
        REQUIRE(excess);
        CHECK(excess->line == it.line);
        const auto settings = load_settings(it.text, "x.toml");
        REQUIRE_FALSE(settings);
        CHECK(settings.error().text().starts_with(fmt::format("x.toml:{}: ", it.line)));
    }
}

TEST_CASE("toml_bounds: dots and brackets in texts and comments are not counted") {
    for (const std::string& text :
         {"a = \"" + times(100, ".[{") + "\"\n", "a = '" + times(100, ".[{") + "'\n",
          "a = \"\"\"\n" + times(100, ".[{\"\n") + "\"\"\"\n",
          "a = '''\n" + times(100, ".[{'\n") + "'''\n", "# " + times(100, ".[{") + "\na = 1\n",
          "a = [" + times(1000, "1.5, ") + "]\n", "a = [" + times(1000, "{ b = 1.5 }, ") + "]\n",
          times(500, "[[modem]]\nquota.per_minute = 1\n")}) {
        CHECK_FALSE(find_excess(text));
    }
}

TEST_CASE("toml_bounds: a file of more than 1 MiB is refused without being read on") {
    const std::string comment = "#" + std::string(toml_bytes_max - 1, 'x');
    CHECK_FALSE(find_excess(comment));
    CHECK(load_settings(comment, "x.toml"));
    const auto settings = load_settings(comment + "x", "x.toml");
    REQUIRE_FALSE(settings);
    CHECK(settings.error().text() == "x.toml:1: is larger than 1048576 octets\n");
}
