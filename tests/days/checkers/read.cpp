#include "tests/days/checkers/checkers.hpp"

#include <algorithm>
#include <deque>
#include <fmt/format.h>

namespace smsrack::days {
namespace {

using std::chrono::milliseconds;
using What = test::InboundStep::What;

/// What a modem was given, and still holds.
struct Holds {
    SteadyTime since = {};
    unsigned modem = 0;
    std::uint64_t id = 0;
    std::string pdu;
    std::string iccid;
};

/// While all is well a modem holds no message for longer than this: before the next submit its inbox is emptied, so it waits for a submit, for
/// those that came before it, and for a disk.
class Read final : public Checker {
public:
    explicit Read(const RackRules& rules) : longest_(seconds_for_reading + 15 * rules.service) {}

    [[nodiscard]] std::string_view name() const override { return "read"; }

    void quiet(bool now) override {
        quiet_ = now;
        held_.clear();
    }
    void came_in(const test::InboundStep& step) override {
        if (step.what == What::erased || step.what == What::acknowledged) {
            const auto found = std::ranges::find_if(held_, [&](const Holds& one) {
                return one.pdu == step.pdu && one.iccid == step.iccid;
            });
            if (found != held_.end()) {
                held_.erase(found);
            }
        } else if (quiet_ && (step.what == What::stored || step.what == What::given)) {
            held_.push_back({step.at, step.modem, step.id, step.pdu, step.iccid});
        }
    }
    void turn(test::World& world) override {
        if (held_.empty() || world.clock.steady() - held_.front().since <= longest_) {
            return;
        }
        const Holds& first = held_.front();
        throw Violation("read",
                        fmt::format("m{} holds inbound {} for longer than {} ms, and {} more",
                                    first.modem, first.id, longest_.count(), held_.size() - 1),
                        {fmt::format("inbound {}", first.id), fmt::format("m{}", first.modem)});
    }

private:
    static constexpr milliseconds seconds_for_reading{5'000};

    const milliseconds longest_;
    bool quiet_ = false;
    std::deque<Holds> held_;  // oldest first; came while all was well
};

}  // namespace

std::unique_ptr<Checker> read(const RackRules& rules) {
    return std::make_unique<Read>(rules);
}

}  // namespace smsrack::days
