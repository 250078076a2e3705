#include "drivers/gsm/exchange/hand_rules.hpp"

#include "drivers/gsm/exchange/sim_danger.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace smsrack::gsm {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view through_service =
    "messages go through the service, which keeps them; use `smsrack send`";
constexpr std::string_view keeps =
    "it may drop a message that is not kept yet; the service removes what it has kept";
constexpr std::string_view parts_port =
    "it would part the modem from its port; change `baud` or the wiring with the service stopped";

constexpr std::array refusals{
    HandRefusal{"+CMGS", HandForm::any, through_service},
    HandRefusal{"+CMGW", HandForm::any, through_service},
    HandRefusal{"+CMSS", HandForm::any, through_service},
    HandRefusal{"+CMGC", HandForm::any, through_service},
    HandRefusal{"+CMGD", HandForm::any, keeps},
    HandRefusal{"+CNMA", HandForm::any, keeps},
    HandRefusal{"+CUSD", HandForm::setting, "its answer comes later; use `smsrack ussd`"},
    HandRefusal{"+IPR", HandForm::setting, parts_port},
    HandRefusal{"+ICF", HandForm::setting, parts_port},
    HandRefusal{"+IFC", HandForm::setting, parts_port},
    HandRefusal{"+CMUX", HandForm::any, parts_port},
    HandRefusal{"+CPOF", HandForm::any, "only its power switch brings the modem back after it"},
    HandRefusal{"+COPS", HandForm::test, "it takes minutes, in which the modem sends nothing"},
};

/// Those that take longer than the rest: they speak with the network, or read the whole SIM.
struct Slow {
    std::string_view name;
    std::chrono::milliseconds timeout;
};
constexpr std::array slow{
    Slow{"+COPS", 60s},
    Slow{"+CMGL", 30s},
    Slow{"+CLCK", 30s},
    Slow{"+CPWD", 30s},
};

/// Commands without a plus that change nothing. All others set echo, formats or calls.
constexpr std::array<std::string_view, 10> harmless{"AT",   "ATI",  "ATI0", "ATI3", "ATI4",
                                                    "ATI5", "ATI6", "ATI7", "ATI9", "AT&V"};

bool is_printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return c >= ' ' && c <= '~'; });
}

/// Commands after each other on one line (V.250 5.2.1): each would need its own answer. Behind a quote that does not end it
/// is not known what the modem takes for one.
bool is_compound(std::string_view text) {
    bool quoted = false;
    const bool has_two = std::ranges::any_of(text, [&](char c) {
        quoted = quoted != (c == '"');
        return c == ';' && !quoted;
    });
    return has_two || quoted;
}

HandForm form_of(std::string_view behind_name) {
    if (behind_name == "?") {
        return HandForm::reading;
    }
    if (behind_name == "=?") {
        return HandForm::test;
    }
    return behind_name.starts_with('=') ? HandForm::setting : HandForm::executing;
}

/// Letters and digits behind the plus.
bool is_name(std::string_view name) {
    return name.size() > 1 && std::ranges::all_of(name.substr(1), [](char c) {
               return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
           });
}

/// Why this command is refused; empty: it is not.
std::string_view refusal_of(std::string_view name, HandForm form,
                            std::span<const HandRefusal> rows) {
    const auto row = std::ranges::find_if(rows, [&](const HandRefusal& one) {
        return one.name == name && (one.form == HandForm::any || one.form == form);
    });
    return row == rows.end() ? std::string_view() : row->why;
}

}  // namespace

Result<HandPlan> plan_of(std::string_view command, std::span<const HandRefusal> of_family,
                         bool force) {
    if (command.size() > hand_command_max || !is_printable(command)) {
        return fail(Errc::bad_request, "command: up to 200 printable ASCII characters");
    }
    HandPlan plan{.text = normalised_command(command)};
    const std::string_view text = plan.text;
    if (!text.starts_with("AT") || is_compound(text)) {
        return fail(Errc::bad_request, "command: one command that begins with AT, such as AT+CSQ");
    }
    if (!text.starts_with("AT+")) {
        return std::ranges::find(harmless, text) != harmless.end()
                   ? Result<HandPlan>(std::move(plan))
                   : fail(Errc::bad_request,
                          "command: refused, since commands without a plus change echo, formats or "
                          "calls; only AT, ATI and AT&V are let through");
    }
    const std::string_view name = text.substr(2, text.find_first_of("=?", 3) - 2);
    const HandForm form = form_of(text.substr(2 + name.size()));
    if (!is_name(name)) {
        return fail(Errc::bad_request, "command: no name of a command, such as +CSQ");
    }
    if (!force) {
        if (auto safe = refuse_danger(danger_of_command(command)); !safe) {
            return std::unexpected(std::move(safe.error()));
        }
    }
    for (const std::span<const HandRefusal> rows :
         {std::span<const HandRefusal>(refusals), of_family}) {
        if (const auto why = refusal_of(name, form, rows); !why.empty()) {
            return fail(Errc::bad_request,
                        "AT" + std::string(name) + " is refused: " + std::string(why));
        }
    }
    if (const auto* const row = std::ranges::find(slow, name, &Slow::name); row != slow.end()) {
        plan.timeout = row->timeout;
    }
    plan.prefix = std::string(name) + ':';
    plan.sets_up_anew = form == HandForm::setting && name != "+CMGL" && name != "+CMGR";
    return plan;
}

}  // namespace smsrack::gsm
