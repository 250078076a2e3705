#include "tests/days/checkers/checkers.hpp"
#include "tests/days/ledger.hpp"
#include "tests/days/pair_messages.hpp"

#include <chrono>
#include <fmt/format.h>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace smsrack::days {
namespace {

class Pairs final : public Checker {
public:
    explicit Pairs(const RackRules& rules) : kept_(rules.pairs_kept) {}
    [[nodiscard]] std::string_view name() const override { return "pairs"; }

    void decided(const std::vector<Pair>& pairs, const Decision& decision) override {
        const auto& [fresh, must_be_new, may_be_new] = decision;
        if (fresh < must_be_new || fresh > may_be_new) {
            throw Violation("pairs",
                            fresh < must_be_new ? fmt::format("{} of {} events are new; {} must be",
                                                              fresh, pairs.size(), must_be_new)
                                                : fmt::format("{} of {} events are new; {} may be",
                                                              fresh, pairs.size(), may_be_new),
                            numbers_of(pairs));
        }
        decided_.insert(pairs.begin(), pairs.end());
    }

    /// Whether the network took it, `truth` says.
    void settled(test::World& world) override {
        std::map<Pair, PairMessage> messages;
        each_pair_message(Ledger(world.store_file()),
                          [&](const PairMessage& message) { add(message, messages); });
        for (const Pair& pair : decided_) {
            if (!messages.contains(pair)) {
                throw Violation("pairs",
                                fmt::format("{} was decided for {}, and has no message", pair.first,
                                            pair.second),
                                {pair.first});
            }
        }
    }

private:
    static std::vector<std::string> numbers_of(const std::vector<Pair>& pairs) {
        std::vector<std::string> numbers;
        for (const auto& [number, topic] : pairs) {
            numbers.push_back(number);
        }
        return numbers;
    }

    /// A second one only when the pair may have been forgotten, or when the first one was not
    /// delivered.
    void add(const PairMessage& message, std::map<Pair, PairMessage>& messages) const {
        const auto [earlier, is_new] = messages.emplace(message.pair, message);
        if (!is_new && !earlier->second.is_unsent &&
            message.created_at - earlier->second.created_at < kept_ - std::chrono::days(1)) {
            const auto& [number, topic] = message.pair;
            throw Violation("pairs", number + " has two messages of " + topic, {number});
        }
        earlier->second = message;
    }

    std::chrono::days kept_;
    std::set<Pair> decided_;  // a message stays for 90 days
};

}  // namespace

std::unique_ptr<Checker> pairs(const RackRules& rules) {
    return std::make_unique<Pairs>(rules);
}

}  // namespace smsrack::days
