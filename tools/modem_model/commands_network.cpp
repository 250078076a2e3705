#include "tools/modem_model/commands.hpp"
#include "tools/modem_model/life.hpp"
#include "tools/modem_model/ussd.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace smsrack::modem_sim {
namespace {

constexpr int cme_not_allowed = 3;
constexpr int cme_sim_absent = 10;
constexpr int cme_pin_needed = 11;
constexpr int cme_puk_needed = 12;
constexpr int cme_wrong_password = 16;
constexpr int cme_no_network = 30;

/// Why the SIM can't be asked; 0 where it can.
int card_trouble(const Core& core) {
    if (!core.card.present) {
        return cme_sim_absent;
    }
    if (!core.card.unlocked) {
        return core.card.pin_attempts > 0 ? cme_pin_needed : cme_puk_needed;
    }
    return 0;
}

Answer from_card(const Core& core, const AtCommand& command, const std::string& text) {
    if (command.form == AtForm::test) {
        return ok();
    }
    if (command.form == AtForm::set) {
        return error();
    }
    const int trouble = card_trouble(core);
    return trouble == 0 ? info(text) : cme(trouble);
}

/// Where the PUK is wanted, the first text is it, and the second the new PIN.
Answer enter_pin(Core& core, SteadyTime at, const AtArguments& arguments) {
    if (core.card.unlocked) {
        return cme(cme_not_allowed);
    }
    if (core.card.pin_attempts == 0) {
        if (arguments.text(1).empty()) {
            return cme(cme_puk_needed);
        }
        if (arguments.text(0) != sim_puk) {
            return cme(cme_wrong_password);
        }
        core.card.pin = arguments.text(1);
    } else if (arguments.text(0) != core.card.pin) {
        --core.card.pin_attempts;
        return cme(cme_wrong_password);
    }
    core.card.pin_attempts = 3;
    card_unlocked(core, at);
    return ok();
}

Answer cpin(Core& core, SteadyTime at, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return ok();
    }
    if (!core.card.present) {
        return cme(cme_sim_absent);
    }
    if (command.form == AtForm::set) {
        return enter_pin(core, at, AtArguments(command.arguments));
    }
    if (command.form != AtForm::read) {
        return error();
    }
    Answer answer = info(core.card.unlocked           ? "+CPIN: READY"
                         : core.card.pin_attempts > 0 ? "+CPIN: SIM PIN"
                                                      : "+CPIN: SIM PUK");
    // A WAVECOM ends this one answer with its line.
    answer.final = core.settings.cpin_ok ? Final::ok : Final::silent;
    return answer;
}

Answer cpinc(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::set) {
        return error();
    }
    return core.card.present ? info(fmt::format("+CPINC: {},3,10,10", core.card.pin_attempts))
                             : cme(cme_sim_absent);
}

Answer ccid(Core& core, SteadyTime, const AtCommand& command) {
    if (!core.card.present) {
        return cme(cme_sim_absent);
    }
    return command.form == AtForm::set || command.form == AtForm::test
               ? ok()
               : info(fmt::format("+CCID: \"{}\"", core.settings.identity.iccid));
}

Answer cimi(Core& core, SteadyTime, const AtCommand& command) {
    return from_card(core, command, core.settings.identity.imsi);
}

Answer cnum(Core& core, SteadyTime, const AtCommand& command) {
    return from_card(core, command,
                     fmt::format(R"(+CNUM: "","{}",145)", core.settings.identity.number));
}

Answer creg(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::read) {
        return info(fmt::format("+CREG: {},{}", core.prefs.general.creg, registration_text(core)));
    }
    if (command.form == AtForm::test) {
        return info("+CREG: (0-2)");
    }
    const auto mode = AtArguments(command.arguments).number(0);
    if (!mode || *mode < 0 || *mode > 2) {
        return cme(cme_not_allowed);
    }
    core.prefs.general.creg = *mode;
    return ok();
}

Answer csq(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return info("+CSQ: (0-31,99),(0-7,99)");
    }
    if (command.form != AtForm::execute) {
        return error();
    }
    return info(core.coverage != Coverage::lost && core.prefs.now.full_function
                    ? fmt::format("+CSQ: {},0", core.settings.identity.signal)
                    : std::string("+CSQ: 99,99"));
}

Answer cops(Core& core, SteadyTime, const AtCommand& command) {
    const Identity& identity = core.settings.identity;
    int& format = core.prefs.general.cops_format;
    if (command.form == AtForm::test) {
        return info(fmt::format(R"(+COPS: (2,"{}","{}","{}"),,(0-4),(0-2))", identity.operator_name,
                                identity.operator_name, identity.plmn));
    }
    if (command.form == AtForm::read) {
        return core.registered()
                   ? info(fmt::format("+COPS: 0,{},\"{}\"", format,
                                      format == 2 ? identity.plmn : identity.operator_name))
                   : info("+COPS: 0");
    }
    const AtArguments arguments(command.arguments);
    const auto mode = arguments.number(0);
    const auto asked = arguments.number_or(1, format);
    if (command.form != AtForm::set || !mode || *mode < 0 || *mode > 4 || !asked || *asked < 0 ||
        *asked > 2) {
        return cme(cme_not_allowed);
    }
    format = *asked;
    return ok();
}

Answer cfun(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::read) {
        return info(fmt::format("+CFUN: {}", core.prefs.now.full_function ? 1 : 0));
    }
    if (command.form == AtForm::test) {
        return info("+CFUN: (0,1),(0,1)");
    }
    const AtArguments arguments(command.arguments);
    const auto function = arguments.number(0);
    if (!function || *function < 0 || *function > 1) {
        return cme(cme_not_allowed);
    }
    if (*function == 1 && (!core.settings.cfun1_keeps || arguments.number(1) == 1)) {
        return {.final = Final::restart};
    }
    set_full_function(core, *function == 1);
    return ok();
}

Answer clcc(Core&, SteadyTime, const AtCommand& command) {
    return command.form == AtForm::execute || command.form == AtForm::test ? ok() : error();
}

bool alphabet_is_hex(const Core& core) {
    const auto* const row = std::ranges::find(plain_settings, "+CSCS", &PlainSetting::name);
    const auto index = static_cast<std::size_t>(row - plain_settings.begin());
    return core.prefs.general.plain.at(index) == "\"HEX\"";
}

/// The network answers as a URC, after a while.
Answer cusd(Core& core, SteadyTime at, const AtCommand& command) {
    if (command.form == AtForm::test) {
        return info("+CUSD: (0-2)");
    }
    if (command.form == AtForm::read) {
        return info("+CUSD: 1");
    }
    const AtArguments arguments(command.arguments);
    if (!arguments.text(1).empty()) {
        if (!core.registered()) {
            return cme(cme_no_network);
        }
        core.ussd_line = ussd_answer(arguments.text(1), alphabet_is_hex(core));
        core.ussd_at = core.ussd_line.empty() ? never : at + std::chrono::milliseconds(500);
    }
    return ok();
}

constexpr std::array rows{
    CommandRow{"+CPIN", cpin}, CommandRow{"+CPINC", cpinc}, CommandRow{"+CCID", ccid},
    CommandRow{"+CIMI", cimi}, CommandRow{"+CNUM", cnum},   CommandRow{"+CREG", creg},
    CommandRow{"+CSQ", csq},   CommandRow{"+COPS", cops},   CommandRow{"+CFUN", cfun},
    CommandRow{"+CLCC", clcc}, CommandRow{"+CUSD", cusd},
};

}  // namespace

std::span<const CommandRow> network_commands() {
    return rows;
}

}  // namespace smsrack::modem_sim
