#include "tools/modem_model/commands.hpp"
#include "tools/modem_model/sms/delivery.hpp"
#include "tools/modem_model/sms/erasure.hpp"
#include "tools/modem_model/sms/hex.hpp"
#include "tools/modem_model/sms/text_mode.hpp"

#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr int list_all = 4;

/// Status and message, in the mode that is set.
std::string shown(const Core& core, const StoredSms& sms) {
    return core.prefs.now.text_mode ? text_form(sms)
                                    : fmt::format("{},,{}\r\n{}", std::to_underlying(sms.status),
                                                  sms.tpdu_length, to_hex(sms.pdu));
}

/// <stat>: a number, or a word in text mode; those not read yet where nothing is said.
std::optional<int> which_listed(const Core& core, const AtArguments& arguments) {
    if (!core.prefs.now.text_mode) {
        return arguments.number_or(0, 0);
    }
    return arguments.text(0).empty() ? 0 : status_of_word(arguments.text(0));
}

Answer cmgr(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return ok();
    }
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    const auto place = AtArguments(command.arguments).number(0);
    StoredSms* sms =
        place && *place > 0 ? core.reading_memory().at(static_cast<std::size_t>(*place)) : nullptr;
    if (sms == nullptr) {
        return cms(cms_invalid_index);
    }
    Answer answer = info("+CMGR: " + shown(core, *sms));
    if (sms->status == SmsStatus::unread) {
        sms->status = SmsStatus::read;
    }
    return answer;
}

Answer cmgl(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return info(core.prefs.now.text_mode
                        ? R"(+CMGL: ("REC UNREAD","REC READ","STO UNSENT","STO SENT","ALL"))"
                        : "+CMGL: (0-4)");
    }
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    const auto which = which_listed(core, AtArguments(command.arguments));
    if (!which || *which < 0 || *which > list_all || command.form == AtForm::read) {
        return cms(cms_operation_not_allowed);
    }
    Answer answer;
    SmsMemory& memory = core.reading_memory();
    for (std::size_t place = 1; place <= memory.total(); ++place) {
        StoredSms* sms = memory.at(place);
        if (sms == nullptr || (*which != list_all && std::to_underlying(sms->status) != *which)) {
            continue;
        }
        add_line(answer, fmt::format("+CMGL: {},{}", place, shown(core, *sms)));
        if (sms->status == SmsStatus::unread) {
            sms->status = SmsStatus::read;
        }
    }
    if (core.faults.take(FaultKind::torn_list_end)) {
        answer.final = Final::torn_ok;
    }
    return answer;
}

constexpr std::array rows{
    CommandRow{"+CMGR", cmgr},
    CommandRow{"+CMGD", run_erasure},
    CommandRow{"+CMGL", cmgl},
};

}  // namespace

std::span<const CommandRow> sms_reading_commands() {
    return rows;
}

}  // namespace smsrack::modem_sim
