#include "tools/smsrack/triggers/event_words.hpp"

#include "tools/smsrack/screen/json_fields.hpp"

#include <array>
#include <cstdint>
#include <fmt/format.h>

namespace smsrack::cli {
namespace {

struct VerdictWords {
    const char* verdict;
    const char* words;
    bool always;
};

constexpr std::array all_words{
    VerdictWords{"new", "new", true},
    VerdictWords{"seen", "seen", true},
    VerdictWords{"outside", "outside the share", true},
    VerdictWords{"refused", "refused", true},
    VerdictWords{"too_old", "too old", false},
    VerdictWords{"no_topic", "without a topic", false},
    VerdictWords{"bad", "bad", true},
};

}  // namespace

std::string event_words(const wire::Json& counts) {
    std::string text;
    for (const VerdictWords& one : all_words) {
        const std::uint64_t count = count_of(counts, one.verdict);
        if (one.always || count > 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, one.words);
        }
    }
    return text;
}

}  // namespace smsrack::cli
