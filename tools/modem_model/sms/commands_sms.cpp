#include "tools/modem_model/commands.hpp"
#include "tools/modem_model/sms/delivery.hpp"
#include "tools/modem_model/sms/submit.hpp"
#include "tools/modem_model/sms/text_mode.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr int cms_invalid_parameter = 302;  // as a WAVECOM says
constexpr int tpdu_longest = 164;           // 12 octets of head, DA and VP, 140 of user data

Answer csms(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::read) {
        return info(fmt::format("+CSMS: {},1,1,1", core.prefs.sms.phase2plus ? 1 : 0));
    }
    if (command.form == AtForm::test) {
        return info("+CSMS: (0,1)");
    }
    const auto service = AtArguments(command.arguments).number(0);
    if (!service || *service < 0 || *service > 1) {
        return cms(cms_operation_not_supported);
    }
    core.prefs.sms.phase2plus = *service == 1;
    return info("+CSMS: 1,1,1");
}

constexpr std::array<std::string_view, 4> memory_names{"SM", "SR", "BM", "ME"};

std::string_view name_of(Memory memory) {
    return memory_names.at(static_cast<std::size_t>(memory));
}

std::optional<Memory> memory_of(std::string_view name) {
    const auto* const found = std::ranges::find(memory_names, name);
    return found == memory_names.end()
               ? std::nullopt
               : std::optional(static_cast<Memory>(found - memory_names.begin()));
}

/// "used,total" of <mem1> and <mem2>, where the firmware has it <mem3>; with names in front where
/// asked.
Answer tell_memories(Core& core, bool names) {
    const auto told = [&](const SmsMemory& memory, std::string_view name) {
        return names ? fmt::format("\"{}\",{},{}", name, memory.used(), memory.total())
                     : fmt::format("{},{}", memory.used(), memory.total());
    };
    const auto& now = core.prefs.now;
    return info(fmt::format("+CPMS: {},{}{}", told(core.reading_memory(), name_of(now.reading)),
                            told(core.writing_memory(), name_of(now.writing)),
                            core.settings.mem3 ? "," + told(core.card.sms, "SM") : ""));
}

Answer cpms(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::test) {
        const std::string_view readable =
            core.settings.sr_places > 0 ? R"("SM","SR","BM","ME")" : R"("SM","BM","ME")";
        return info(core.settings.mem3 ? fmt::format(R"(+CPMS: ({}),("SM","ME"),("SM"))", readable)
                                       : fmt::format(R"(+CPMS: (({}),("SM","ME")))", readable));
    }
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    if (command.form == AtForm::read) {
        return tell_memories(core, true);
    }
    const AtArguments arguments(command.arguments);
    const auto reading = memory_of(arguments.text(0));
    const auto writing =
        arguments.text(1).empty() ? core.prefs.now.writing : memory_of(arguments.text(1));
    const bool writable = writing == Memory::sim || writing == Memory::phone;
    const bool receives = arguments.text(2).empty() || arguments.text(2) == "SM";
    const bool exists = reading != Memory::reports || core.settings.sr_places > 0;
    if (command.form != AtForm::set || !reading || !exists || !writable || !receives) {
        return cms(cms_invalid_parameter);
    }
    core.prefs.now.reading = *reading;
    core.prefs.now.writing = *writing;
    return tell_memories(core, false);
}

Answer csca(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return ok();
    }
    if (const int trouble = sms_trouble(core); trouble != 0) {
        return cms(trouble);
    }
    if (command.form == AtForm::read) {
        return info(fmt::format("+CSCA: \"{}\",{}", core.card.centre,
                                core.card.centre.starts_with('+') ? 145 : 129));
    }
    const std::string_view number = AtArguments(command.arguments).text(0);
    if (number.empty() || number.size() > 21) {
        return cms(cms_invalid_parameter);
    }
    core.card.centre = number;
    return ok();
}

Answer cmgf(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::read) {
        return info(fmt::format("+CMGF: {}", core.prefs.now.text_mode ? 1 : 0));
    }
    if (command.form == AtForm::test) {
        return info("+CMGF: (0,1)");
    }
    const auto mode = AtArguments(command.arguments).number_or(0, 0);
    if (!mode || *mode < 0 || *mode > 1) {
        return cms(cms_operation_not_supported);
    }
    core.prefs.now.text_mode = *mode == 1;
    return ok();
}

Answer cnmi(Core& core, SteadyTime, const AtCommand& command) {
    const Cnmi& old = core.prefs.sms.cnmi;
    if (command.form == AtForm::read) {
        return info(
            fmt::format("+CNMI: {},{},{},{},{}", old.mode, old.mt, old.bm, old.ds, old.bfr));
    }
    if (command.form == AtForm::test) {
        return info(fmt::format("+CNMI: (0-3),(0-3),(0,2,3),(0-{}),(0,1)",
                                core.settings.sr_places > 0 ? 2 : 1));
    }
    const AtArguments arguments(command.arguments);
    constexpr std::array highest{3, 3, 3, 2, 1};
    const std::array before{old.mode, old.mt, old.bm, old.ds, old.bfr};
    std::array<int, 5> values{};
    for (std::size_t i = 0; i < values.size(); ++i) {
        const auto value = arguments.number_or(i, before[i]);
        if (!value || *value < 0 || *value > highest[i]) {
            return cms(cms_invalid_parameter);
        }
        values[i] = *value;
    }
    if (values[3] == 2 && core.settings.sr_places == 0) {
        return cms(cms_operation_not_supported);
    }
    core.prefs.sms.cnmi = {
        .mode = values[0], .mt = values[1], .bm = values[2], .ds = values[3], .bfr = values[4]};
    return ok();
}

Answer csas(Core& core, SteadyTime, const AtCommand&) {
    core.saved.sms = core.prefs.sms;
    return ok();
}

Answer cres(Core& core, SteadyTime, const AtCommand&) {
    core.prefs.sms = core.saved.sms;
    return ok();
}

Answer begin_message(Core& core, const AtCommand& command, EntryFor purpose) {
    if (command.form == AtForm::test) {
        return ok();
    }
    const AtArguments arguments(command.arguments);
    if (command.form != AtForm::set) {
        return cms(cms_invalid_parameter);
    }
    if (core.prefs.now.text_mode) {
        auto number = typed_number(arguments.text(0), arguments.number_or(1, 0).value_or(0));
        return number ? begin_entry(core, {.purpose = purpose, .number = std::move(*number)})
                      : cms(cms_invalid_parameter);
    }
    const auto length = arguments.number(0);
    if (!length || *length < 1 || *length > tpdu_longest) {
        return cms(cms_invalid_parameter);
    }
    return begin_entry(core,
                       {.purpose = purpose, .tpdu_length = static_cast<std::size_t>(*length)});
}

Answer cmgs(Core& core, SteadyTime, const AtCommand& command) {
    return begin_message(core, command, EntryFor::send);
}
Answer cmgw(Core& core, SteadyTime, const AtCommand& command) {
    return begin_message(core, command, EntryFor::write);
}

Answer cmss(Core& core, SteadyTime at, const AtCommand& command) {
    const auto place = AtArguments(command.arguments).number(0);
    if (command.form != AtForm::set || !place || *place < 1) {
        return command.form == AtForm::test ? ok() : cms(cms_invalid_index);
    }
    return send_stored(core, at, static_cast<std::size_t>(*place));
}

/// <n> 0 and 1: received; 2: not. With a length a PDU follows, which the network does not read.
Answer cnma(Core& core, SteadyTime at, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return info("+CNMA: (0-2)");
    }
    if (!core.prefs.sms.phase2plus) {
        return cms(cms_operation_not_supported);
    }
    const AtArguments arguments(command.arguments);
    const auto n = arguments.number_or(0, 0);
    if (!n || *n < 0 || *n > 2 || command.form == AtForm::read) {
        return cms(cms_invalid_parameter);
    }
    if (*n == 1 && arguments.number_or(1, 0).value_or(0) > 0) {
        return begin_entry(core, {.purpose = EntryFor::acknowledge});
    }
    return acknowledge(core, at, *n != 2) ? ok() : cms(cms_no_acknowledgement_expected);
}

constexpr std::array rows{
    CommandRow{"+CMGS", cmgs}, CommandRow{"+CNMA", cnma}, CommandRow{"+CMSS", cmss},
    CommandRow{"+CMGW", cmgw}, CommandRow{"+CSMS", csms}, CommandRow{"+CPMS", cpms},
    CommandRow{"+CSCA", csca}, CommandRow{"+CMGF", cmgf}, CommandRow{"+CNMI", cnmi},
    CommandRow{"+CSAS", csas}, CommandRow{"+CRES", cres},
};

}  // namespace

std::span<const CommandRow> sms_commands() {
    return rows;
}

}  // namespace smsrack::modem_sim
