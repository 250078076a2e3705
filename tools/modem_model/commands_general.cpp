#include "tools/modem_model/call.hpp"
#include "tools/modem_model/commands.hpp"
#include "tools/modem_model/life.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <ranges>

namespace smsrack::modem_sim {
namespace {

constexpr std::string_view manufacturer = " WAVECOM MODEM";
constexpr std::string_view model = " MULTIBAND  900E  1800";
constexpr std::string_view revision = "657e09gg.Q2406B 1407796 091107 17:16";

/// Execute and test forms of a command that only prints a text.
Answer tell(const AtCommand& command, std::string_view text) {
    switch (command.form) {
        case AtForm::execute:
        case AtForm::read:
            return info(text);
        case AtForm::test:
            return ok();
        default:
            return error();
    }
}

Answer attention(Core&, SteadyTime, const AtCommand&) {
    return ok();
}

/// ATH, AT+CHUP
Answer end_call(Core& core, SteadyTime at, const AtCommand&) {
    hang_up(core, at);
    return ok();
}

Answer echo(Core& core, SteadyTime, const AtCommand& command) {
    if (command.arguments.size() > 1 || command.arguments > "1") {
        return error();
    }
    core.prefs.general.echo = command.arguments == "1";
    return ok();
}

/// Results as words, none left out: the other forms are not for programs of today.
Answer verbose(Core&, SteadyTime, const AtCommand& command) {
    return command.arguments == "1" ? ok() : error();
}
Answer quiet(Core&, SteadyTime, const AtCommand& command) {
    return command.arguments.empty() || command.arguments == "0" ? ok() : error();
}

Answer identify(Core&, SteadyTime, const AtCommand& command) {
    Answer answer;
    if (command.arguments.empty() || command.arguments == "0") {
        add_line(answer, manufacturer);
        add_line(answer, model);
    } else if (command.arguments == "3") {
        add_line(answer, revision);
    }
    return answer;
}

/// ATZ: what AT&W kept.
Answer recall(Core& core, SteadyTime, const AtCommand&) {
    core.prefs.general = core.saved.general;
    return ok();
}

/// AT&F
Answer factory(Core& core, SteadyTime, const AtCommand&) {
    core.prefs.general = {.baud = core.prefs.general.baud};
    return ok();
}

/// The new rate holds from behind the OK (V.250 6.2.10). 0, to find the rate by itself, is taken and
/// changes nothing.
Answer ipr(Core& core, SteadyTime, const AtCommand& command) {
    constexpr std::array<unsigned, 11> rates{0,      2'400,   4'800,   9'600,   19'200, 38'400,
                                             57'600, 115'200, 230'400, 460'800, 921'600};
    const unsigned highest = core.settings.max_baud;
    if (highest == 0) {
        return error();
    }
    if (command.form == AtForm::read) {
        return info(fmt::format("+IPR: {}", core.prefs.general.baud));
    }
    const auto fixed_only = std::ranges::find(rates, 115'200U);
    if (command.form == AtForm::test) {
        return info(fmt::format(
            "+IPR: ({}),({})", fmt::join(std::ranges::subrange(rates.begin(), fixed_only), ","),
            fmt::join(std::ranges::subrange(fixed_only, std::ranges::upper_bound(rates, highest)),
                      ",")));
    }
    const auto rate = AtArguments(command.arguments).number(0);
    if (!rate || *rate < 0 || static_cast<unsigned>(*rate) > highest ||
        std::ranges::find(rates, static_cast<unsigned>(*rate)) == rates.end()) {
        return cme(3);
    }
    if (*rate != 0 && !core.faults.take(FaultKind::rate_ignored)) {
        core.stats.rate_changes += core.prefs.general.baud == static_cast<unsigned>(*rate) ? 0 : 1;
        core.prefs.general.baud = static_cast<unsigned>(*rate);
    }
    return ok();
}

/// AT&W
Answer keep(Core& core, SteadyTime, const AtCommand&) {
    core.saved.general = core.prefs.general;
    core.saved.sms = core.prefs.sms;
    return ok();
}

Answer cgmi(Core&, SteadyTime, const AtCommand& command) {
    return tell(command, manufacturer);
}
Answer cgmm(Core&, SteadyTime, const AtCommand& command) {
    return tell(command, model);
}
Answer cgmr(Core&, SteadyTime, const AtCommand& command) {
    return tell(command, revision);
}
Answer cgsn(Core& core, SteadyTime, const AtCommand& command) {
    return tell(command, core.settings.identity.imei);
}

Answer cmee(Core& core, SteadyTime, const AtCommand& command) {
    if (command.form == AtForm::read) {
        return info(fmt::format("+CMEE: {}", core.prefs.general.extended_errors ? 1 : 0));
    }
    if (command.form == AtForm::test) {
        return info("+CMEE: (0,1)");
    }
    const auto value = AtArguments(command.arguments).number(0);
    if (!value || *value < 0 || *value > 1) {
        return cme(3);
    }
    core.prefs.general.extended_errors = *value == 1;
    return ok();
}

/// Written to flash at once.
Answer wind(Core& core, SteadyTime, const AtCommand& command) {
    const int highest = core.settings.wind16 ? 32767 : 4095;
    if (command.form == AtForm::read) {
        return info(fmt::format("+WIND: {}", core.wind_mask));
    }
    if (command.form == AtForm::test) {
        return info(fmt::format("+WIND: (0-{})", highest));
    }
    const auto mask = AtArguments(command.arguments).number(0);
    if (!mask || *mask < 0 || *mask > highest) {
        return cme(3);
    }
    core.wind_mask = *mask;
    return ok();
}

Answer cpas(Core& core, SteadyTime, const AtCommand& command) {
    return tell(command, core.life == Life::limited ? "+CPAS: 1" : "+CPAS: 0");
}

Answer capabilities(Core&, SteadyTime, const AtCommand& command) {
    return command.form == AtForm::execute ? info("+GCAP: +CGSM") : error();
}

Answer clock(Core& core, SteadyTime at, const AtCommand& command) {
    if (command.form != AtForm::read) {
        return command.form == AtForm::set ? ok() : error();
    }
    const WallTime now = core.settings.time_base.wall_at(at);
    const auto day = std::chrono::floor<std::chrono::days>(now);
    const std::chrono::year_month_day date(day);
    const std::chrono::hh_mm_ss time(std::chrono::floor<std::chrono::seconds>(now - day));
    return info(fmt::format("+CCLK: \"{:02}/{:02}/{:02},{:02}:{:02}:{:02}\"",
                            static_cast<int>(date.year()) % 100,
                            static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                            time.hours().count(), time.minutes().count(), time.seconds().count()));
}

Answer supply(Core&, SteadyTime, const AtCommand& command) {
    return tell(command, "+CBC: 0,0");
}

constexpr std::array rows{
    CommandRow{"E", echo},         CommandRow{"V", verbose},          CommandRow{"Q", quiet},
    CommandRow{"I", identify},     CommandRow{"Z", recall},           CommandRow{"&F", factory},
    CommandRow{"&W", keep},        CommandRow{"X", attention},        CommandRow{"H", end_call},
    CommandRow{"+CHUP", end_call}, CommandRow{"S", attention},        CommandRow{"&C", attention},
    CommandRow{"&D", attention},   CommandRow{"&S", attention},       CommandRow{"+CGMI", cgmi},
    CommandRow{"+GMI", cgmi},      CommandRow{"+CGMM", cgmm},         CommandRow{"+GMM", cgmm},
    CommandRow{"+CGMR", cgmr},     CommandRow{"+GMR", cgmr},          CommandRow{"+CGSN", cgsn},
    CommandRow{"+GSN", cgsn},      CommandRow{"+CMEE", cmee},         CommandRow{"+WIND", wind},
    CommandRow{"+CPAS", cpas},     CommandRow{"+GCAP", capabilities}, CommandRow{"+CCLK", clock},
    CommandRow{"+CBC", supply},    CommandRow{"+IPR", ipr},
};

}  // namespace

std::span<const CommandRow> general_commands() {
    return rows;
}

}  // namespace smsrack::modem_sim
