// Telephone numbers as people write them, and words that end messages: brought into one form, that form stays.
#include "src/base/check.hpp"
#include "src/pdu/address_field.hpp"
#include "src/rules/opt_out_words.hpp"
#include "src/sms/address.hpp"
#include "tests/fuzz/input.hpp"

#include <array>
#include <string>

namespace smsrack::fuzz {
namespace {

void check_number(std::string_view text, const NumberPlan& plan) {
    const auto number = normalised_number(text, plan);
    if (!number) {
        SMSRACK_CHECK(number.error().code == Errc::bad_number);
        SMSRACK_CHECK(!number.error().context.empty());
        return;
    }
    const auto again = normalised_number(*number, plan);
    SMSRACK_CHECK(again && *again == *number);
    SMSRACK_CHECK(same_subscriber(*number, *number));
    SMSRACK_CHECK(make_address(pdu::plain_number(*number), "to").has_value());
}

}  // namespace

int fuzz_numbers(Octets input) {
    const std::string_view text = text_of(input);
    const std::array plans{NumberPlan{}, NumberPlan{.country = "+33"},
                           NumberPlan{.country = "+7", .trunk = "8"},
                           NumberPlan{.country = "+39", .trunk = ""}};
    const std::vector<std::string_view> lines = lines_of(text);
    for (const std::string_view line : lines) {
        for (const NumberPlan& plan : plans) {
            check_number(line, plan);
        }
        SMSRACK_CHECK(same_subscriber(line, lines.front()) == same_subscriber(lines.front(), line));
        SMSRACK_CHECK(line.empty() || same_subscriber(line, line));
    }
    if (is_utf8(text)) {
        const std::string folded = rules::folded(text);
        SMSRACK_CHECK(is_utf8(folded) && rules::folded(folded) == folded);
    }
    return 0;
}

}  // namespace smsrack::fuzz
