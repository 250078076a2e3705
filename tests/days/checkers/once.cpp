#include "tests/days/checkers/checkers.hpp"
#include "tests/days/ledger.hpp"
#include "tests/days/user_data.hpp"

#include <fmt/format.h>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace smsrack::days {
namespace {

class Once final : public Checker {
public:
    explicit Once(const RackRules& rules) : resends_(rules.resends) {}
    [[nodiscard]] std::string_view name() const override { return "once"; }

    void accepted(const Told& told) override { recipients_.emplace(told.id, told.to); }

    void event(const Event& event) override {
        if (event.type == EventType::message_state && event.state == MessageState::uncertain) {
            if (const auto to = recipients_.find(event.message); to != recipients_.end()) {
                uncertain_.insert(to->second);
            } else {
                of_triggers_.push_back(event.message);
            }
        }
    }
    void turn(test::World& world) override {
        for (const MessageId id : std::exchange(of_triggers_, {})) {
            Ledger(world.store_file())
                .each("SELECT to_addr FROM messages WHERE id = ?", {id.value},
                      [this](const Row& row) { uncertain_.insert(row.text(0)); });
        }
    }

    void at_network(const test::Submitted& submit) override {
        const unsigned times = ++times_[{submit.to, user_data(submit.pdu)}];
        if (times == 1 || (resends_ && uncertain_.contains(submit.to))) {
            return;
        }
        throw Violation(
            "once",
            fmt::format("the network got the same segment for {} {} times, now from m{}", submit.to,
                        times, submit.modem),
            {submit.to, fmt::format("m{}", submit.modem)});
    }

    void settled(test::World&) override {
        times_.clear();
        uncertain_.clear();
        recipients_.clear();
    }

private:
    bool resends_;
    std::map<std::pair<std::string, std::string>, unsigned> times_;  // of this day
    std::map<MessageId, std::string> recipients_;
    std::vector<MessageId> of_triggers_;  // uncertain, and not looked up yet
    std::set<std::string> uncertain_;     // recipients of messages that were
};

}  // namespace

std::unique_ptr<Checker> once(const RackRules& rules) {
    return std::make_unique<Once>(rules);
}

}  // namespace smsrack::days
