#include "tools/smsrack/doctor/port_look.hpp"

#include "drivers/gsm/facts.hpp"
#include "drivers/gsm/fields.hpp"
#include "drivers/gsm/set_up/init_script.hpp"
#include "drivers/serial/control_lines.hpp"
#include "drivers/serial/port_holder.hpp"
#include "drivers/wavecom/profile.hpp"
#include "tools/smsrack/doctor/doctor_unit.hpp"
#include "tools/smsrack/doctor/modem_talk.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string_view>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto first_limit = 500ms;   // a modem answers AT within some 10 ms
constexpr auto second_limit = 700ms;  // after ESC
constexpr auto sim_limit = 5s;        // what touches the SIM takes longer

/// AT, and once more behind ESC.
bool answers(ModemTalk& talk) {
    const auto first = talk.ask({.text = "AT", .timeout = first_limit});
    if (!first || first->ok()) {
        return first.has_value();
    }
    talk.escape();
    const auto second = talk.ask({.text = "AT", .timeout = second_limit});
    return second && second->ok();
}

/// The first line of the answer; empty where there is none.
std::string line_of(ModemTalk& talk, const at::Command& command) {
    const auto answer = talk.ask(command);
    return answer && answer->ok() && !answer->lines.empty() ? answer->lines.front() : std::string();
}

/// What the service asks at this step.
at::Command asked_at(gsm::InitStep step) {
    at::Command command = wavecom::profile.init.row(step).command;
    command.timeout = sim_limit;
    return command;
}

std::string sim_of(ModemTalk& talk) {
    const auto answer = talk.ask(asked_at(gsm::InitStep::pin_state));
    if (!answer || answer->result.kind == at::FinalKind::timed_out) {
        return {};
    }
    return answer->ok() && !answer->lines.empty()
               ? std::string(gsm::field(answer->lines.front(), 0))
               : at::to_text(answer->result);
}

void ask_identity(ModemTalk& talk, PortLook& look) {
    (void)talk.ask({.text = "AT+CMEE=1"});
    look.imei = gsm::number_of(line_of(talk, {.text = "AT+CGSN", .takes = at::Takes::text}));
    look.model = line_of(talk, {.text = "AT+CGMM", .takes = at::Takes::text});
    look.sim = sim_of(talk);
    if (look.sim != "READY" && look.sim != "SIM PIN") {
        return;
    }
    const std::string iccid = line_of(talk, asked_at(gsm::InitStep::iccid));
    look.iccid = gsm::iccid_of(iccid);
    if (look.sim == "SIM PIN") {
        const std::string left = line_of(talk, asked_at(gsm::InitStep::pin_attempts));
        look.pin_attempts = gsm::number_field(left, wavecom::profile.pin_fields.pin);
        return;
    }
    const std::string number =
        line_of(talk, {.text = "AT+CNUM", .prefix = "+CNUM:", .timeout = sim_limit});
    look.number = gsm::field(number, 1);
    const std::string network =
        line_of(talk, {.text = "AT+CREG?", .prefix = "+CREG:", .is_answer = gsm::is_creg_answer});
    look.registration = gsm::number_field(network, 1);
    const std::string signal = line_of(talk, {.text = "AT+CSQ", .prefix = "+CSQ:"});
    look.signal_dbm = gsm::signal_of(signal);
}

}  // namespace

std::vector<std::uint32_t> bauds_to_try(std::uint32_t configured, std::uint32_t fast) {
    std::vector<std::uint32_t> bauds{configured};
    if (fast != 0) {
        bauds.push_back(fast);
    }
    std::ranges::copy_if(usual_bauds, std::back_inserter(bauds),
                         [=](std::uint32_t baud) { return baud != configured && baud != fast; });
    return bauds;
}

PortLook look_at(const std::string& path, std::span<const std::uint32_t> bauds, const Clock& clock,
                 const std::function<bool()>& stopped) {
    PortLook look{.path = path};
    if (const auto users = serial::port_users(path); !users.empty()) {
        look.closed = Error{.code = Errc::busy, .context = path + " is in use"};
        look.holder = users.front();
        look.holder_unit = unit_of_holder(look.holder);
        return look;
    }
    ModemTalk talk(clock);
    for (const std::uint32_t baud : bauds) {
        if (stopped()) {
            break;
        }
        if (auto opened = talk.open({.path = path, .baud = baud}); !opened) {
            look.closed = std::move(opened.error());
            look.holder = look.closed->code == Errc::busy ? serial::port_holder(path) : "";
            look.holder_unit = unit_of_holder(look.holder);
            return look;
        }
        if (answers(talk)) {
            look.answers = true;
            look.baud = baud;
            ask_identity(talk, look);
            return look;
        }
    }
    talk.close();
    if (const auto lines = serial::control_lines(path)) {
        look.has_lines = true;
        look.cts = lines->cts;
    }
    return look;
}

}  // namespace smsrack::cli
