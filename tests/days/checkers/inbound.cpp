#include "tests/days/checkers/checkers.hpp"
#include "tests/days/ledger.hpp"
#include "tests/days/received.hpp"

namespace smsrack::days {
namespace {

class Inbound final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "inbound"; }

    void offered(const Offered& message) override { received_.offered(message); }
    void came_in(const test::InboundStep& step) override { received_.came_in(step); }
    void restarted(test::World& world) override { received_.restarted(world.clock.steady()); }
    void clock_set(SteadyTime at, std::chrono::milliseconds) override { received_.clock_set(at); }
    /// The steady clock did not see it, so dates are as far off it as where the clock was set.
    void time_passed(SteadyTime at, std::chrono::milliseconds) override { received_.clock_set(at); }
    /// Where its radio was off, or in the last moment, the network or the card may still have some of it.
    void sim_goes(const std::string& iccid, test::World& world) override {
        received_.sim_goes(iccid, read(world));
    }
    void settled(test::World& world) override { received_.judge(read(world)); }

private:
    /// All rows, oldest first.
    [[nodiscard]] static std::vector<InboxRow> read(test::World& world) {
        const Ledger ledger(world.store_file());
        std::vector<InboxRow> rows;
        ledger.each(
            "SELECT from_addr, content, incomplete, undecodable, maybe_repeat FROM inbox "
            "ORDER BY id",
            {}, [&](const Row& row) {
                rows.push_back({.from = row.text(0),
                                .content = row.octets(1),
                                .incomplete = row.number(2) != 0,
                                .undecodable = row.number(3) != 0,
                                .maybe_repeat = row.number(4) != 0});
            });
        return rows;
    }

    Received received_;
};

}  // namespace

std::unique_ptr<Checker> inbound() {
    return std::make_unique<Inbound>();
}

}  // namespace smsrack::days
