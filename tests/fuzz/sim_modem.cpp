// AT to a simulated modem: what it says does not depend on how the octets came, and its time
// advances.
#include "src/base/check.hpp"
#include "tests/fuzz/input.hpp"
#include "tools/modem_model/faults/split_mix.hpp"
#include "tools/modem_model/modem_model.hpp"

#include <chrono>
#include <string>

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

constexpr SteadyTime begin = SteadyTime{} + 1h;

std::string said(const std::vector<std::string_view>& pieces) {
    modem_sim::SplitMix random{7};
    NoJournal journal;
    modem_sim::ModemModel model{
        {.identity = modem_sim::make_identity(0),
         .time_base = {.steady = begin,
                       .wall = std::chrono::sys_days{std::chrono::year{2026} / 11 / 21}}},
        random,
        journal};
    std::string text;
    for (const std::string_view piece : pieces) {
        model.feed(begin, piece);
        text += model.take_output();
    }
    constexpr int steps_max = 20'000;  // far more than a minute has events
    int steps = 0;
    for (SteadyTime now = begin; now < begin + 60s; ++steps) {
        const SteadyTime next = model.step(now);
        text += model.take_output();
        SMSRACK_CHECK(next > now && steps < steps_max);
        now = next;
    }
    return text;
}

}  // namespace

int fuzz_sim_modem(Octets input) {
    const std::string_view text = text_of(input);
    const std::string whole = said({text});
    for (const auto& pieces : ways_to_come(text)) {
        SMSRACK_CHECK(said(pieces) == whole);
    }
    return 0;
}

}  // namespace smsrack::fuzz
