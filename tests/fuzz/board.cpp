// The description of a board: every fault has its line; what is good has names and ports that differ, and no LED leads elsewhere.
#include "src/config/board.hpp"

#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <set>
#include <string>

namespace smsrack::fuzz {

int fuzz_board(Octets input) {
    const std::string_view text = text_of(input);
    const auto board = config::load_board(text, "f.toml");
    if (!board) {
        const auto lines = 1 + std::ranges::count(text, '\n');
        SMSRACK_CHECK(!board.error().problems.empty());
        for (const config::ConfigProblem& problem : board.error().problems) {
            SMSRACK_CHECK(problem.line >= 0 && problem.line <= lines);
            SMSRACK_CHECK(!problem.message.empty());
        }
        return 0;
    }
    SMSRACK_CHECK(!board->name.empty());
    SMSRACK_CHECK(!board->leds.ready.contains('/') && !board->leds.fault.contains('/'));
    std::set<std::string> names;
    std::set<std::string> ports;
    for (const config::BoardSlot& slot : board->slots) {
        SMSRACK_CHECK(names.insert(slot.name).second && ports.insert(slot.port).second);
        SMSRACK_CHECK(slot.port.starts_with('/'));
    }
    return 0;
}

}  // namespace smsrack::fuzz
