/// A dialogue with a modem (a WAVECOM unless it says otherwise) as a script, replayed against the driver in simulated time.
///
/// One action a line; blank lines and lines with # are comments:
///   > TEXT          the driver must have written TEXT and CR, and nothing else before
///   >pdu HEX        ... HEX and Ctrl-Z          >esc  ... ESC
///   < TEXT          the modem says CR LF TEXT CR LF
///   <raw TEXT       the modem says TEXT, with \r \n \0 \x.. as in C
///   <prompt         CR LF > blank
///   ! EVENT         the next event of the driver, in the words of event_text()
/// (an incident, a storage count or its identity may be left out)
///   life WORD       where the driver says that it is
///   after MS        time goes by, with a step at each deadline
///   open, open attempt, submit HEX, release, withhold, ack N, pause, unpause, hold,
///   unhold, leave (the port), settled, close, unplug, plug,
///   at COMMAND, ussd CODE, restart, changed (the port), include FILE
///   pin enter|refused|later (the answer to pin_wanted), more (submits wait behind the next)
///   set pin 1234, set gap 20, ...               before `open`
///   set left_at 230400, set port_max 115200     rates of the port: at first, and the highest; a change is
///                                               written as a line: > [230400 baud]
///   set family plain                            a modem that does all as the standard says
/// At the end nothing may be left: no event, no written byte.
#pragma once

#include "drivers/at/pdu_line.hpp"
#include "drivers/gsm/gsm_modem.hpp"
#include "drivers/wavecom/profile.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_pipe.hpp"
#include "tests/support/scripted_power.hpp"
#include "tests/support/seeded_random.hpp"

#include <doctest/doctest.h>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

namespace smsrack::test {

/// A step did not go as the script says; the failure is reported already.
struct DialogueBroken {};

/// How the modem's bytes are cut before the driver reads them.
enum class Cut : std::uint8_t { whole, bytes, random };

inline std::string outcome_text(const SubmitOutcome& outcome) {
    switch (outcome.kind) {
        case OutcomeKind::open:
            return "open";
        case OutcomeKind::accepted:
            return outcome.has_tp_mr ? fmt::format("accepted {}", outcome.tp_mr) : "accepted";
        case OutcomeKind::refused: {
            static constexpr std::array<std::string_view, 5> kinds{"none", "cms", "cme",
                                                                   "tp_status", "error"};
            return fmt::format("refused {} {}",
                               kinds.at(static_cast<std::size_t>(outcome.cause.kind)),
                               outcome.cause.code);
        }
        case OutcomeKind::not_sent:
            return "not_sent";
        case OutcomeKind::unknown:
            return "unknown";
    }
    return {};
}

inline std::string hex_text(std::string_view octets) {
    std::string hex;
    at::append_hex(hex, octets);
    return hex;
}

struct EventText {
    std::string operator()(const ports::ModemIdentified& e) const {
        return fmt::format("identified {} {}", e.identity.iccid, e.identity.imsi);
    }
    std::string operator()(const ports::ModemReady& e) const {
        return fmt::format("ready {} {} {} {}", e.identity.imei, e.identity.imsi, e.identity.iccid,
                           e.identity.operator_name.empty() ? "-" : e.identity.operator_name);
    }
    std::string operator()(const ports::ModemAsleep&) const { return "asleep"; }
    std::string operator()(const ports::ModemNotReady& e) const { return "not_ready " + e.reason; }
    std::string operator()(const ports::ModemVitals& e) const {
        return fmt::format("vitals {} {}", e.signal_dbm.value_or(0),
                           static_cast<int>(e.registration));
    }
    std::string operator()(const ports::SubmitDone& e) const {
        return fmt::format("done {}{}", outcome_text(e.outcome), e.pdu_sent ? " pdu_sent" : "");
    }
    std::string operator()(const ports::LateAnswer& e) const {
        return "late " + outcome_text(e.outcome);
    }
    std::string operator()(const ports::EarlierAttempt& e) const {
        return "earlier " + outcome_text(e.outcome);
    }
    std::string operator()(const ports::ModemIncident& e) const {
        return fmt::format("incident {}", ports::incident_name(e.kind));
    }
    std::string operator()(const ports::PinWanted& e) const {
        return fmt::format("pin_wanted {} {}", e.pin.card, e.pin.attempts_left);
    }
    std::string operator()(const ports::PinTried& e) const {
        return fmt::format("pin_tried {} {}", e.pin.card, e.taken ? "taken" : "refused");
    }
    std::string operator()(const ports::SimStorage& e) const {
        return fmt::format("storage {} {}", e.used, e.total);
    }
    std::string operator()(const ports::ModemFallbacks& e) const {
        return fmt::format("fallbacks{}{}", e.fallbacks.push ? " push" : "",
                           e.fallbacks.fast_baud ? " fast_baud" : "");
    }
    std::string operator()(const ports::Diagnosis& e) const {
        std::string text = "diagnosis";
        std::istringstream lines(e.text);
        for (std::string line; std::getline(lines, line);) {
            text += " | " + line;
        }
        return text;
    }
    static constexpr std::array held_names{"SM", "SR", "ME", "direct"};
    std::string operator()(const ports::ReceivedPdu& e) const {
        return fmt::format("{} {} {}", e.status_report ? "report" : "pdu", e.token,
                           hex_text(e.pdu));
    }
    std::string operator()(const ports::PduErased& e) const {
        return fmt::format("erased {} {}", held_names.at(static_cast<std::size_t>(e.place.memory)),
                           e.place.index);
    }
    std::string operator()(const ports::PlacesListed& e) const {
        return fmt::format("listed {} [{}]", held_names.at(static_cast<std::size_t>(e.memory)),
                           fmt::join(e.indexes, " "));
    }
    std::string operator()(const ports::HandEnded& e) const {
        if (!e.answer) {
            return fmt::format("hand {}", errc_name(e.answer.error().code));
        }
        std::string text = "hand " + e.answer->final_result;
        for (const std::string& line : e.answer->lines) {
            text += " | " + line;
        }
        if (const auto& ussd = e.answer->ussd) {
            text += fmt::format(" | ussd {} {} {}{}", ussd->mode, ussd->dcs,
                                ussd->hex ? "hex " : "", ussd->text);
        }
        return text;
    }
};

inline std::string event_text(const ports::ModemEvent& event) {
    return std::visit(EventText{}, event);
}

class Dialogue {
public:
    Dialogue(Cut cut, std::uint64_t seed) : cut_(cut), random_(seed) {
        settings_.port.path = "/dev/ttyTEST";
        settings_.sweep = std::chrono::hours(24);
        settings_.push = false;
    }

    /// Replays a file of tests/golden/at; failures name file and line.
    void play(const std::string& name) {
        play_file(name);
        settle();
        CHECK_MESSAGE(wire_.from_host.empty(), name, ": left unread: ", printable(wire_.from_host));
        const auto left = modem_ ? next_event("") : std::nullopt;
        CHECK_MESSAGE(!left, name, ": left untold: ", left ? event_text(*left) : "");
    }

private:
    void play_file(const std::string& name) {
        std::ifstream file(std::string(SMSRACK_GOLDEN_DIR) + "/at/" + name + ".txt");
        REQUIRE_MESSAGE(file, name);
        int number = 0;
        for (std::string line; std::getline(file, line);) {
            ++number;
            if (line.empty() || line.starts_with('#')) {
                continue;
            }
            const std::string where = fmt::format("{}:{}: {}", name, number, line);
            INFO(where);
            act(line);
        }
    }

    void act(const std::string& line) {
        const auto space = line.find(' ');
        const std::string verb = line.substr(0, space);
        const std::string rest = space == std::string::npos ? "" : line.substr(space + 1);
        if (verb == ">") {
            expect_written(rest + "\r");
        } else if (verb == ">pdu") {
            expect_written(rest + "\x1a");
        } else if (verb == ">esc") {
            expect_written("\x1b");
        } else if (verb == "<") {
            say("\r\n" + rest + "\r\n");
        } else if (verb == "<raw") {
            say(unescaped(rest));
        } else if (verb == "<prompt") {
            say("\r\n> ");
        } else if (verb == "!") {
            settle();
            const auto event = next_event(rest);
            expect(event ? event_text(*event) : "no event", rest);
        } else if (verb == "after") {
            pass(std::chrono::milliseconds(std::stoll(rest)));
        } else {
            call(verb, rest);
        }
    }

    void call(const std::string& verb, const std::string& rest) {
        if (verb == "include") {
            play_file(rest);
        } else if (verb == "set") {
            set(rest);
        } else if (verb == "open") {
            modem_ = std::make_unique<gsm::GsmModem>(
                "m0", *profile_, settings_, std::make_unique<ScriptedSource>(wire_), clock_, log_,
                has_power_ ? std::make_unique<ScriptedPower>(wire_) : nullptr);
            modem_->open({.attempt_open = rest == "attempt"});
        } else if (verb == "submit") {
            modem_->begin_submit(at::octets_of(rest).value());
        } else if (verb == "release") {
            modem_->release_pdu();
        } else if (verb == "withhold") {
            modem_->withhold_pdu();
        } else if (verb == "ack") {
            modem_->acknowledge(static_cast<std::uint32_t>(std::stoul(rest)));
        } else if (verb == "pause" || verb == "unpause") {
            modem_->pause_reading(verb == "pause");
        } else if (verb == "at" || verb == "ussd" || verb == "restart") {
            modem_->begin_order({.kind = verb == "at"     ? ports::HandOrderKind::at_command
                                         : verb == "ussd" ? ports::HandOrderKind::ussd
                                                          : ports::HandOrderKind::restart,
                                 .text = rest});
        } else if (verb == "hold" || verb == "unhold") {
            modem_->hold(verb == "hold");
        } else if (verb == "leave") {
            modem_->leave_port(true);
        } else if (verb == "settled") {
            CHECK(modem_->is_settled());
        } else if (verb == "pin") {
            modem_->enter_pin(pin_, rest == "enter"     ? ports::PinVerdict::enter
                                    : rest == "refused" ? ports::PinVerdict::refused
                                                        : ports::PinVerdict::later);
        } else if (verb == "more") {
            modem_->expect_more(true);
        } else if (verb == "first") {
            settle();
            expect(modem_->reads_first() ? "yes" : "no", rest);
        } else if (verb == "life") {
            settle();
            expect(std::string(ports::line_life_name(modem_->life())), rest);
        } else if (verb == "changed") {
            modem_->port_changed();
        } else if (verb == "unplug" || verb == "plug") {
            wire_.plugged = verb == "plug";
        } else {
            expect(verb, "an action");
        }
    }

    void set(const std::string& rest) {
        std::istringstream words(rest);
        std::string name, value;
        words >> name >> value;
        if (name == "pin") {
            settings_.pin = value;
        } else if (name == "family") {
            expect(value, "plain");
            profile_ = &plain_;
        } else if (name == "gap") {
            settings_.command_gap = std::chrono::milliseconds(std::stoi(value));
        } else if (name == "room") {
            wire_.room = std::stoul(value);
        } else if (name == "smsc") {
            settings_.smsc = value;
        } else if (name == "keep_link") {
            settings_.keep_link = value == "auto";
        } else if (name == "roaming") {
            settings_.roaming = value == "true";
        } else if (name == "power") {
            has_power_ = true;
        } else if (name == "dtr") {
            wire_.has_dtr = true;
        } else if (name == "push") {
            settings_.push = value == "true";
        } else if (name == "fast_baud") {
            settings_.fast_baud = static_cast<std::uint32_t>(std::stoul(value));
        } else if (name == "left_at") {
            wire_.baud = static_cast<std::uint32_t>(std::stoul(value));
        } else if (name == "port_max") {
            wire_.baud_max = static_cast<std::uint32_t>(std::stoul(value));
        } else if (name == "heartbeat") {
            settings_.heartbeat = std::chrono::milliseconds(std::stoi(value));
        } else {
            expect(name, "a setting");
        }
    }

    /// Incidents, erased places and counts are passed over unless they are wanted.
    [[nodiscard]] std::optional<ports::ModemEvent> next_event(const std::string& wanted) {
        auto event = modem_->next_event();
        while (event &&
               (std::holds_alternative<ports::ModemIncident>(*event) ||
                std::holds_alternative<ports::PduErased>(*event) ||
                std::holds_alternative<ports::PlacesListed>(*event) ||
                std::holds_alternative<ports::ModemIdentified>(*event) ||
                std::holds_alternative<ports::ModemFallbacks>(*event) ||
                std::holds_alternative<ports::SimStorage>(*event)) &&
               event_text(*event) != wanted) {
            event = modem_->next_event();
        }
        if (event && std::holds_alternative<ports::PinWanted>(*event)) {
            pin_ = std::get<ports::PinWanted>(*event).pin;
        }
        return event;
    }

    void settle() {
        if (modem_) {
            next_ = modem_->step(clock_.steady());
        }
    }

    void expect_written(const std::string& bytes) {
        settle();
        expect(printable(wire_.from_host.substr(0, bytes.size())), printable(bytes));
        wire_.from_host.erase(0, bytes.size());
    }

    void say(std::string_view bytes) {
        while (!bytes.empty()) {
            std::size_t count = bytes.size();
            if (cut_ == Cut::bytes) {
                count = 1;
            } else if (cut_ == Cut::random) {
                count = 1 + random_.below(bytes.size());
            }
            wire_.to_host += bytes.substr(0, count);
            bytes.remove_prefix(count);
            settle();
        }
    }

    static void expect(const std::string& is, const std::string& should) {
        CHECK(is == should);
        if (is != should) {
            throw DialogueBroken{};
        }
    }

    /// The driver is stepped at its own deadlines, as its thread would.
    void pass(std::chrono::milliseconds time) {
        settle();
        const auto end = clock_.steady() + time;
        for (int steps = 0; next_ <= end; ++steps) {
            expect(steps < 100'000 ? "" : "the driver asks to be stepped without end", "");
            clock_.advance_to(std::max(next_, clock_.steady()));
            settle();
            if (next_ <= clock_.steady() && wire_.to_host.empty()) {
                expect("the driver's deadline does not move", "");
            }
        }
        clock_.advance_to(end);
        settle();
    }

    static std::string unescaped(std::string_view text) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != '\\') {
                out += text[i];
                continue;
            }
            switch (text[++i]) {
                case 'r':
                    out += '\r';
                    break;
                case 'n':
                    out += '\n';
                    break;
                case '0':
                    out += '\0';
                    break;
                default:
                    out += static_cast<char>(
                        std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
                    i += 2;
            }
        }
        return out;
    }

    static std::string printable(std::string_view bytes) {
        std::string out;
        for (const char c : bytes) {
            out += c < ' ' ? fmt::format("<{:02X}>", static_cast<unsigned>(c)) : std::string(1, c);
        }
        return out;
    }

    const Cut cut_;
    SeededRandom random_;
    ManualClock clock_;
    QuietLog log_;
    Wire wire_;
    static constexpr gsm::Profile plain_ = {};
    const gsm::Profile* profile_ = &wavecom::profile;
    gsm::ModemSettings settings_;
    bool has_power_ = false;
    ports::PinTry pin_;  // asked about last
    std::unique_ptr<gsm::GsmModem> modem_;
    SteadyTime next_ = never;
};

}  // namespace smsrack::test
