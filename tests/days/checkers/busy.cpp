#include "tests/days/checkers/checkers.hpp"

#include <fmt/format.h>

namespace smsrack::days {
namespace {

using namespace std::chrono_literals;

class Busy final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "busy"; }

    void disturbed(SteadyTime until) override { undisturbed_ = std::max(undisturbed_, until); }

    void turn(test::World& world) override {
        const SteadyTime since = world.starves_since();
        const SteadyTime now = world.clock.steady();
        if (since == never || now < undisturbed_ || now - std::max(since, undisturbed_) < 30s) {
            return;
        }
        throw Violation(
            "busy",
            fmt::format("for {} s a line is free while a message is ready",
                        std::chrono::duration_cast<std::chrono::seconds>(now - since).count()),
            {});
    }

private:
    SteadyTime undisturbed_ = {};
};

}  // namespace

std::unique_ptr<Checker> busy() {
    return std::make_unique<Busy>();
}

}  // namespace smsrack::days
