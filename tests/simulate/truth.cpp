#include "tests/simulate/checkers.hpp"
#include "tests/simulate/ledger.hpp"
#include "tests/simulate/user_data.hpp"

#include <fmt/format.h>
#include <map>
#include <set>

namespace smsrack::simulate {
namespace {

/// How many segments of a message the network may have.
struct Range {
    std::size_t least = 0;
    std::size_t most = 0;
};

Range range_of(MessageState state, std::size_t segments, bool may_be_partial) {
    switch (state) {
        case MessageState::sent:
        case MessageState::delivered:
        case MessageState::undelivered:
            return {segments, segments};
        case MessageState::failed:
        case MessageState::expired:
        case MessageState::cancelled:
            return {0, may_be_partial ? segments : 0};
        default:
            return {0, segments};
    }
}

class Truth final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "truth"; }

    void event(const Event& event) override {
        if (event.type == EventType::message_state && event.state == MessageState::uncertain) {
            uncertain_.insert(event.message.value);
        }
        if (event.type == EventType::message_state && event.state == MessageState::sent) {
            sent_.insert(event.message.value);
        }
    }
    void at_network(const test::Submitted& submit, const std::string&) override {
        const std::string said = user_data(submit.pdu);
        refs_[submit.to].insert(concat_ref(said));
        at_network_[submit.to].insert(said);
    }

    void settled(test::World& world) override {
        const Ledger ledger(world.store_file());
        std::map<std::string, Range> ranges;
        std::map<std::string, std::string> stories;
        ledger.each("SELECT id, to_addr, state, segments, detail FROM messages WHERE id > ?",
                    {last_}, [&](const Row& row) { add(row, ranges, stories); });
        for (const auto& [to, range] : ranges) {
            const auto found = at_network_.find(to);
            const std::size_t seen = found == at_network_.end() ? 0 : found->second.size();
            if (seen < range.least || seen > range.most) {
                throw Violation("truth",
                                fmt::format("{}: the network has {} segments; by what the store "
                                            "says ({}) it is {} to {}",
                                            to, seen, stories[to], range.least, range.most),
                                ids_[to]);
            }
        }
        for (const auto& [to, pdus] : at_network_) {
            if (!ranges.contains(to)) {
                throw Violation("truth", to + ": the network has something that nobody sent", {to});
            }
        }
        at_network_.clear();
        uncertain_.clear();
        sent_.clear();
        refs_.clear();
        ids_.clear();
    }

private:
    void add(const Row& row, std::map<std::string, Range>& ranges,
             std::map<std::string, std::string>& stories) {
        const auto id = row.number(0);
        const std::string to = row.text(1);
        const auto state = static_cast<MessageState>(row.number(2));
        const auto segments = static_cast<std::size_t>(row.number(3));
        last_ = std::max(last_, id);
        if (!is_final(state) && state != MessageState::sent && state != MessageState::uncertain) {
            throw Violation(
                "ends",
                fmt::format("message {} is {} when all is over", id, message_state_name(state)),
                {to, fmt::format("message {}", id)});
        }
        // A report may say of what was sent that it expired at the service centre.
        const Range range =
            sent_.contains(id) ? Range{segments, segments}
                               : range_of(state, segments, segments > 1 || uncertain_.contains(id));
        if (ids_[to].empty()) {
            ids_[to].push_back(to);
        }
        ids_[to].push_back(fmt::format("message {}", id));
        ranges[to].least += range.least;
        // A long message whose SIM was away for too long is begun anew, under another reference: nobody could join it to what was sent.
        const std::size_t begun = segments > 1 ? std::max<std::size_t>(refs_[to].size(), 1) : 1;
        ranges[to].most += range.most * begun;
        stories[to] += fmt::format("{}message {}, {} of {} {}", stories[to].empty() ? "" : "; ", id,
                                   message_state_name(state), segments, row.text(4));
    }

    std::int64_t last_ = 0;                                    // message that was looked at
    std::map<std::string, std::set<std::string>> at_network_;  // texts by recipient, of this day
    std::map<std::string, std::vector<std::string>> ids_;      // by recipient
    std::map<std::string, std::set<std::string>> refs_;        // of parts, by recipient
    std::set<std::int64_t> sent_;
    std::set<std::int64_t> uncertain_;  // that were so at some time
};

}  // namespace

std::unique_ptr<Checker> truth() {
    return std::make_unique<Truth>();
}

}  // namespace smsrack::simulate
