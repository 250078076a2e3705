// A modem that was set up says anything at all: each submit and each order ends once, what was
// received is reported once, and time advances.
//
// A NUL in the input, which no line keeps, lets the driver answer what came before it.
#include "drivers/gsm/gsm_modem.hpp"
#include "drivers/wavecom/profile.hpp"
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/support/manual_clock.hpp"
#include "tests/support/quiet_log.hpp"
#include "tests/support/scripted_pipe.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_model/modem_model.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>

namespace smsrack::fuzz {
namespace {

using namespace std::chrono_literals;

class NoJournal final : public modem_sim::Journal {
public:
    void submit(SteadyTime, unsigned, const modem_sim::SubmitEntry&) override {}
    void refused(SteadyTime, unsigned, int) override {}
    void delivery(SteadyTime, unsigned, const modem_sim::DeliveryEntry&) override {}
    void fault(SteadyTime, unsigned, std::string_view) override {}
};

/// To +33612345678, "hellohello", with a status report.
const std::string submit_pdu{
    "\x00\x21\x00\x0B\x91\x33\x16\x32\x54\x76\xF8\x00\x00\x0A\xE8\x32\x9B\xFD\x46\x97\xD9\xEC\x37",
    23};

class Line {
public:
    Line() {
        settings_.port.path = "/dev/ttyFUZZ";
        settings_.pin = "1234";
        modem_ = std::make_unique<gsm::GsmModem>("m0", wavecom::profile, settings_,
                                                 std::make_unique<test::ScriptedSource>(wire_),
                                                 clock_, log_);
        modem_->open({});
    }

    /// With a true one at the other end.
    void set_up() {
        modem_sim::SplitMix random{7};
        NoJournal journal;
        modem_sim::ModemModel model{
            {.identity = modem_sim::make_identity(0),
             .time_base = {.steady = clock_.steady(), .wall = clock_.wall()}},
            random,
            journal};
        constexpr int steps_max = 2'000;
        for (int steps = 0; !ready_; ++steps) {
            SMSRACK_CHECK(steps < steps_max);
            const SteadyTime next = step();
            model.feed(clock_.steady(), std::exchange(wire_.from_host, {}));
            const SteadyTime model_next = model.step(clock_.steady());
            wire_.to_host += model.take_output();
            if (wire_.to_host.empty()) {
                clock_.advance_to(std::max(clock_.steady(), std::min(next, model_next)));
            }
        }
    }

    /// Whatever is in flight by then continues.
    void begin_something(std::size_t round) {
        const bool idle = submits_ == submits_done_ && orders_ == orders_done_;
        if (idle && round % 4 == 3) {
            ++orders_;
            modem_->begin_order({.kind = round % 8 == 3 ? ports::HandOrderKind::at_command
                                                        : ports::HandOrderKind::ussd,
                                 .text = round % 8 == 3 ? "AT+CSQ" : "*100#"});
        } else if (idle && modem_->can_submit()) {
            ++submits_;
            modem_->expect_more(round % 2 == 0);
            modem_->begin_submit(submit_pdu);
            if (round % 5 == 4) {
                modem_->withhold_pdu();
            } else {
                modem_->release_pdu();
            }
        }
        pass(1ms);
    }

    void hear(std::string_view octets) {
        wire_.to_host += octets;
        pass(20ms);
    }

    /// The port goes, for ever: what is in flight has its end.
    void lose() {
        wire_.plugged = false;
        pass(10min);
        SMSRACK_CHECK(submits_ == submits_done_ && orders_ == orders_done_);
        SMSRACK_CHECK(!modem_->can_submit());
    }

    void pass(std::chrono::milliseconds time) {
        const SteadyTime end = clock_.steady() + time;
        SteadyTime next = step();
        constexpr int steps_max = 100'000;
        for (int steps = 0; next <= end; ++steps) {
            SMSRACK_CHECK(steps < steps_max);
            clock_.advance_to(std::max(clock_.steady(), next));
            next = step();
        }
        clock_.advance_to(end);
    }

private:
    SteadyTime step() {
        const SteadyTime next = modem_->step(clock_.steady());
        while (auto event = modem_->next_event()) {
            take(*event);
        }
        return next;
    }

    void take(const ports::ModemEvent& event) {
        if (std::holds_alternative<ports::ModemReady>(event)) {
            ready_ = true;
        } else if (const auto* const pin = std::get_if<ports::PinWanted>(&event)) {
            SMSRACK_CHECK(pin->pin.attempts_left >= 2);
            modem_->enter_pin(pin->pin, ports::PinVerdict::refused);
        } else if (const auto* const pdu = std::get_if<ports::ReceivedPdu>(&event)) {
            SMSRACK_CHECK(!pdu->pdu.empty() && tokens_.insert(pdu->token).second);
            modem_->acknowledge(pdu->token);
        } else if (const auto* const done = std::get_if<ports::SubmitDone>(&event)) {
            ++submits_done_;
            SMSRACK_CHECK(submits_done_ <= submits_);
            SMSRACK_CHECK(done->outcome.kind != OutcomeKind::open);
            SMSRACK_CHECK(done->pdu_sent || done->outcome.kind != OutcomeKind::accepted);
            SMSRACK_CHECK(done->pdu_sent || done->outcome.kind != OutcomeKind::unknown);
        } else if (std::holds_alternative<ports::HandEnded>(event)) {
            ++orders_done_;
            SMSRACK_CHECK(orders_done_ <= orders_);
        }
    }

    test::ManualClock clock_;
    test::QuietLog log_;
    test::Wire wire_;
    gsm::ModemSettings settings_;
    std::unique_ptr<gsm::GsmModem> modem_;
    bool ready_ = false;
    std::set<std::uint32_t> tokens_;
    int submits_ = 0;
    int submits_done_ = 0;
    int orders_ = 0;
    int orders_done_ = 0;
};

}  // namespace

int fuzz_modem(Octets input) {
    constexpr std::size_t rounds_max = 64;
    std::string_view rest = text_of(input);
    Line line;
    line.set_up();
    for (std::size_t round = 0; round < rounds_max && !rest.empty(); ++round) {
        line.begin_something(round);
        const std::size_t end = std::min(rest.find('\0'), rest.size());
        line.hear(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    line.pass(200s);
    line.lose();
    return 0;
}

}  // namespace smsrack::fuzz
