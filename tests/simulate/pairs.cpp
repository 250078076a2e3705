#include "tests/simulate/checkers.hpp"
#include "tests/simulate/ledger.hpp"

#include <chrono>
#include <fmt/format.h>
#include <map>
#include <set>

namespace smsrack::simulate {
namespace {

class Pairs final : public Checker {
public:
    explicit Pairs(const RackRules& rules) : kept_(rules.pairs_kept) {}
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
        std::map<Pair, std::chrono::milliseconds> rows;
        Ledger(world.store_file())
            .each("SELECT to_addr, body, created_at FROM messages WHERE topic <> 0 ORDER BY id", {},
                  [&](const Row& row) { add(row, rows); });
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
    /// A second one only when the pair may have been forgotten.
    void add(const Row& row, std::map<Pair, std::chrono::milliseconds>& rows) const {
        const Pair pair{row.text(0), row.text(1)};
        const std::chrono::milliseconds at(row.number(2));
        const auto [earlier, is_new] = rows.emplace(pair, at);
        if (!is_new && at - earlier->second < kept_ - std::chrono::days(1)) {
            throw Violation("pairs", pair.first + " has two messages: " + pair.second,
                            {pair.first});
        }
        earlier->second = at;
    }

    std::chrono::days kept_;
    std::set<Pair> decided_;  // a message stays for 90 days
};

}  // namespace

std::unique_ptr<Checker> pairs(const RackRules& rules) {
    return std::make_unique<Pairs>(rules);
}

}  // namespace smsrack::simulate
