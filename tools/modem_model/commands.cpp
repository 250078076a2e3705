#include "tools/modem_model/commands.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace smsrack::modem_sim {
namespace {

bool within(const PlainSetting& setting, const AtArguments& arguments) {
    if (setting.highest < 0) {
        return true;
    }
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const auto value = arguments.number(i);
        if (!value || *value < 0 || *value > setting.highest) {
            return false;
        }
    }
    return arguments.size() > 0;
}

Answer run_plain(std::string& value, const PlainSetting& setting, const AtCommand& command) {
    switch (command.form) {
        case AtForm::read:
            return info(std::string(setting.name) + ": " + value);
        case AtForm::test:
            return info(std::string(setting.name) + ": " + std::string(setting.range));
        case AtForm::set: {
            constexpr std::size_t longest = 40;  // of what these commands take
            if (command.arguments.size() > longest ||
                !within(setting, AtArguments(command.arguments))) {
                return cme(3);
            }
            value = command.arguments;
            return ok();
        }
        default:
            return error();
    }
}

constexpr std::array<std::string_view, 10> with_sim{"+CPIN", "+CCID", "+CIMI", "+CNUM", "+CPMS",
                                                    "+CSCA", "+CMGS", "+CMGL", "+CMGR", "+CMGD"};

/// Refused because the SIM is still busy.
std::optional<Answer> busy_sim(Core& core, const AtCommand& command) {
    constexpr int cme_sim_busy = 14;
    constexpr int cms_sim_busy = 314;
    if (command.form == AtForm::test ||
        std::ranges::find(with_sim, command.name) == with_sim.end() ||
        !core.faults.take(FaultKind::sim_busy)) {
        return std::nullopt;
    }
    const auto sms = sms_commands();
    const auto reading = sms_reading_commands();
    const bool is_sms =
        std::ranges::find(sms, command.name, &CommandRow::name) != sms.end() ||
        std::ranges::find(reading, command.name, &CommandRow::name) != reading.end();
    return is_sms ? cms(cms_sim_busy) : cme(cme_sim_busy);
}

}  // namespace

Answer run_command(Core& core, SteadyTime at, const AtCommand& command) {
    if (const auto refused = busy_sim(core, command)) {
        return *refused;
    }
    for (const auto table :
         {sms_commands(), sms_reading_commands(), network_commands(), general_commands()}) {
        const auto row = std::ranges::find(table, command.name, &CommandRow::name);
        if (row != table.end()) {
            return row->run(core, at, command);
        }
    }
    for (std::size_t i = 0; i < plain_settings.size(); ++i) {
        if (plain_settings[i].name == command.name) {
            return run_plain(core.prefs.general.plain[i], plain_settings[i], command);
        }
    }
    return error();
}

}  // namespace smsrack::modem_sim
