#include "tests/simulate/checkers.hpp"
#include "tests/simulate/ledger.hpp"

#include <fmt/format.h>
#include <set>

namespace smsrack::simulate {
namespace {

class Pairs final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "pairs"; }

    void decided(const std::vector<Pair>& pairs, std::size_t fresh, std::size_t unheard,
                 std::size_t known) override {
        if (fresh < unheard || fresh > pairs.size() - known) {
            throw Violation("pairs",
                            fmt::format("{} of {} events are new; {} were offered for the first "
                                        "time, {} were decided before",
                                        fresh, pairs.size(), unheard, known),
                            {pairs.front().first});
        }
        decided_.insert(pairs.begin(), pairs.end());
    }

    /// Whether the network took it, `truth` says.
    void settled(test::World& world) override {
        std::set<Pair> rows;
        Ledger(world.store_file())
            .each("SELECT to_addr, body FROM messages WHERE topic <> 0", {}, [&](const Row& row) {
                const auto [pair, is_new] = rows.emplace(row.text(0), row.text(1));
                if (!is_new) {
                    throw Violation("pairs", pair->first + " has two messages: " + pair->second,
                                    {pair->first});
                }
            });
        for (const auto& [number, topic] : decided_) {
            if (!rows.contains({number, trigger_text(topic)})) {
                throw Violation(
                    "pairs",
                    fmt::format("{} was decided for {}, and has no message", number, topic),
                    {number});
            }
        }
    }

private:
    std::set<Pair> decided_;  // a message stays longer than any simulation
};

}  // namespace

std::unique_ptr<Checker> pairs() {
    return std::make_unique<Pairs>();
}

}  // namespace smsrack::simulate
