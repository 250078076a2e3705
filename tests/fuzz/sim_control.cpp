// The simulator's control socket and its scenarios: each line is an order or is refused in words; what it orders, a modem bears.
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_model/modem_model.hpp"
#include "tools/modem_model/sms/hex.hpp"
#include "tools/modem_model/sms/tpdu.hpp"
#include "tools/modem_sim/control_commands.hpp"
#include "tools/modem_sim/fault_order.hpp"
#include "tools/modem_sim/scenario.hpp"

#include <algorithm>
#include <chrono>
#include <string>

namespace smsrack::fuzz {
namespace {

using namespace std::chrono_literals;
using wire::Json;

constexpr std::size_t modems = 4;

/// What is written to the journal must be fit for a line of JSON.
class StrictJournal final : public modem_sim::Journal {
public:
    void submit(SteadyTime, unsigned, const modem_sim::SubmitEntry& entry) override {
        SMSRACK_CHECK(is_utf8(entry.to));
    }
    void refused(SteadyTime, unsigned, int) override {}
    void delivery(SteadyTime, unsigned, const modem_sim::DeliveryEntry& entry) override {
        SMSRACK_CHECK(is_utf8(entry.from) && is_utf8(entry.text));
        SMSRACK_CHECK(entry.segment >= 1 && entry.segment <= entry.segments);
    }
    void fault(SteadyTime, unsigned, std::string_view) override {}
};

/// One modem, to whom all orders go.
class Modem {
public:
    Modem() {
        model_.feed(now_, "ATE0+CMEE=1;+CNMI=2,1,0,2\r");
        pass(1s);
    }
    void obey(const Json& order) {
        const std::string what = order.value("do", "");
        if (const modem_sim::FaultRow* const row = modem_sim::find_fault(what)) {
            const auto fault = modem_sim::fault_from(order, *row);
            SMSRACK_CHECK(fault.has_value());
            inject(*fault);
        } else if (what == "inbound") {
            offer(order);
        }
        pass(200ms);
    }
    void end() {
        model_.feed(now_, "AT+CMGL=4\r");
        pass(60s);
    }

private:
    void inject(const modem_sim::Fault& fault) {
        using enum modem_sim::FaultKind;
        if (fault.kind != split && fault.kind != unplug && fault.kind != replug) {
            model_.inject(now_, fault);
        }
    }
    void offer(const Json& order) {
        const auto from = modem_sim::text_of(order, "from", "");
        const auto text = modem_sim::text_of(order, "text", "inbound {id}");
        const auto pdu = modem_sim::text_of(order, "pdu", "");
        const auto stamp = modem_sim::text_of(order, "stamp", "");
        const auto octets = pdu ? modem_sim::from_hex(*pdu) : std::nullopt;
        const auto time = stamp ? modem_sim::from_hex(*stamp) : std::nullopt;
        if (from && text && octets && time && from->size() <= 21 && *from != "+" &&
            (time->empty() || time->size() == modem_sim::time_stamp_size)) {
            (void)model_.offer(
                now_, {.id = 1, .from = *from, .text = *text, .pdu = *octets, .time_stamp = *time});
        }
    }
    void pass(std::chrono::milliseconds time) {
        const SteadyTime end = now_ + time;
        while (now_ < end) {
            const SteadyTime next = model_.step(now_);
            (void)model_.take_output();
            SMSRACK_CHECK(next > now_);
            now_ = std::min(next, end);
        }
    }

    SteadyTime now_ = SteadyTime{} + 1h;
    modem_sim::SplitMix random_{7};
    StrictJournal journal_;
    modem_sim::ModemModel model_{
        {.identity = modem_sim::make_identity(0),
         .time_base = {.steady = now_,
                       .wall = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21}}},
        random_,
        journal_};
};

/// Said again, it is the same scenario.
void check_scenario(const std::vector<modem_sim::ScenarioStep>& steps) {
    std::string text;
    Modem modem;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        SMSRACK_CHECK(i == 0 || steps[i - 1].at <= steps[i].at);
        SMSRACK_CHECK(modem_sim::check_order(modems, steps[i].order).has_value());
        Json line = steps[i].order;
        line["t"] = static_cast<double>(steps[i].at.count()) / 1000;
        text += line.dump() + "\n";
        constexpr std::size_t obeyed_max = 40;
        if (i < obeyed_max) {
            modem.obey(steps[i].order);
        }
    }
    modem.end();
    const auto again = modem_sim::parse_scenario(text, modems);
    SMSRACK_CHECK(again && again->size() == steps.size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        SMSRACK_CHECK((*again)[i].at == steps[i].at && (*again)[i].order == steps[i].order);
    }
}

}  // namespace

int fuzz_sim_control(Octets input) {
    const std::string_view text = text_of(input);
    for (const std::string_view line : lines_of(text)) {
        if (const auto order = wire::parse_json(line)) {
            const auto checked =
                order->is_object() ? modem_sim::check_order(modems, *order) : Result<>();
            SMSRACK_CHECK(checked || is_utf8(checked.error().context));
        }
    }
    const auto steps = modem_sim::parse_scenario(text, modems);
    if (steps) {
        check_scenario(*steps);
    } else {
        SMSRACK_CHECK(steps.error().code == Errc::bad_request);
        SMSRACK_CHECK(steps.error().context.starts_with("line ") && is_utf8(steps.error().context));
    }
    return 0;
}

}  // namespace smsrack::fuzz
