// A manual command: what is let through is one command, and none of those that are refused, as another reader of AT sees it.
#include "drivers/gsm/exchange/hand_rules.hpp"
#include "drivers/wavecom/profile.hpp"
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/modem_model/at_syntax.hpp"

#include <algorithm>
#include <array>

namespace smsrack::fuzz {
namespace {

/// They would lose a message, send one behind the service's back, or part the modem from its port.
constexpr std::array<std::string_view, 8> never_through{"+CMGS", "+CMGW", "+CMSS", "+CMGC",
                                                        "+CMGD", "+CNMA", "+CMUX", "+CPOF"};

/// They can lock or divert a SIM where they set anything.
constexpr std::array<std::string_view, 6> only_forced{"+CPIN", "+CPIN2", "+CPWD",
                                                      "+CSCA", "+CSIM",  "+CRSM"};

}  // namespace

int fuzz_hand_command(Octets input) {
    const std::string_view command = text_of(input);
    const auto plan = gsm::plan_of(command, wavecom::profile.refusals);
    if (!plan) {
        const bool needs_force = plan.error().code == Errc::forbidden;
        SMSRACK_CHECK(needs_force || plan.error().code == Errc::bad_request);
        SMSRACK_CHECK(!plan.error().context.empty());
        SMSRACK_CHECK(needs_force || !gsm::plan_of(command, wavecom::profile.refusals, true));
        return 0;
    }
    SMSRACK_CHECK(plan->text.size() <= command.size());
    SMSRACK_CHECK(std::ranges::count(plan->text, '"') % 2 == 0);
    SMSRACK_CHECK(std::ranges::all_of(plan->text, [](char c) { return c >= ' ' && c <= '~'; }));
    const auto again = gsm::plan_of(plan->text, wavecom::profile.refusals);
    SMSRACK_CHECK(again && again->text == plan->text && again->prefix == plan->prefix);
    if (const auto read = modem_sim::parse_at_line(plan->text)) {
        SMSRACK_CHECK(read->size() <= 1);
        for (const modem_sim::AtCommand& one : *read) {
            SMSRACK_CHECK(std::ranges::find(never_through, one.name) == never_through.end());
            SMSRACK_CHECK(one.form != modem_sim::AtForm::set ||
                          std::ranges::find(only_forced, one.name) == only_forced.end());
        }
    }
    return 0;
}

}  // namespace smsrack::fuzz
