#include "tools/smsrack/screen/key_reader.hpp"

#include <doctest/doctest.h>

using namespace smsrack::cli;

namespace {

using Keys = std::vector<Key>;

}  // namespace

TEST_CASE("KeyReader: letters, arrows of both kinds, and pages") {
    struct Case {
        const char* octets;
        Keys keys;
    };
    for (const Case& one : {
             Case{"q", {{.letter = 'q'}}},
             Case{"\x1B[A\x1BOB", {{KeyKind::up}, {KeyKind::down}}},
             Case{"\x1B[5~\x1B[6~", {{KeyKind::page_up}, {KeyKind::page_down}}},
             Case{"\x1B[H\x1B[4~", {{KeyKind::home}, {KeyKind::end}}},
             Case{"\t\r", {{KeyKind::tab}, {KeyKind::enter}}},
             Case{"\x1B[1;5A", {}},                     // Ctrl and an arrow: not known
             Case{"\x1B[200~x", {{.letter = 'x'}}},     // pasting begins: skipped whole
             Case{"\x1Bxq", {{.letter = 'q'}}},         // Alt-x
             Case{"\x1B\x1B[A", {{KeyKind::up}}},       // Esc alone, then an arrow
             Case{"\x01\xC3\xA9q", {{.letter = 'q'}}},  // controls and other alphabets
             Case{"\x1B[11111111111111111q",
                  {{.letter = '1'}, {.letter = '1'}, {.letter = '1'}, {.letter = 'q'}}},
         }) {
        CAPTURE(one.octets);
        CHECK(KeyReader().feed(one.octets) == one.keys);
    }
}

TEST_CASE("KeyReader: a sequence may be cut anywhere, as a slow connection does") {
    KeyReader reader;
    CHECK(reader.feed("\x1B").empty());
    CHECK(reader.feed("[").empty());
    CHECK(reader.feed("Aq") == Keys{{KeyKind::up}, {.letter = 'q'}});
}
