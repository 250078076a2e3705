#include "tests/days/checkers/checkers.hpp"
#include "tests/days/ledger.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace smsrack::days {
namespace {

class Kept final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "kept"; }

    void accepted(const Told& told) override {
        told_.push_back(told);
        of_days_.push_back(told);
    }

    void event(const Event& event) override {
        if (event.type == EventType::message_state) {
            events_.push_back(event);
        }
    }

    void restarted(test::World& world) override {
        const Ledger ledger(world.store_file());
        for (const Told& told : told_) {
            std::string to;
            ledger.each("SELECT to_addr FROM messages WHERE id = ? AND level = ? AND segments = ?",
                        {told.id.value, told.level, told.segments},
                        [&to](const Row& row) { to = row.text(0); });
            if (to != told.to) {
                throw Violation("kept",
                                fmt::format("message {} was accepted, and the next process does "
                                            "not have it",
                                            told.id.value),
                                {told.to});
            }
        }
        for (const Event& event : events_) {
            const auto found = ledger.number(
                "SELECT count(*) FROM events WHERE seq = ? AND message = ? AND state = ?",
                {event.seq.value, event.message.value, static_cast<std::int64_t>(event.state)});
            if (found != 1 && !is_acceptance(event)) {
                throw Violation("kept",
                                fmt::format("message {} was said to be {}, and the next process "
                                            "does not know it",
                                            event.message.value, message_state_name(event.state)),
                                {fmt::format("message {}", event.message.value)});
            }
        }
        told_.clear();
        events_.clear();
    }

    /// Those of today and of yesterday, over all processes since.
    void settled(test::World& world) override {
        if (of_days_.empty()) {
            return;
        }
        const MessageId first = std::ranges::min(of_days_, {}, &Told::id).id;
        std::unordered_map<std::int64_t, std::string> there;
        Ledger(world.store_file())
            .each("SELECT id, to_addr FROM messages WHERE id >= ?", {first.value},
                  [&there](const Row& row) { there.emplace(row.number(0), row.text(1)); });
        for (const Told& told : of_days_) {
            const auto row = there.find(told.id.value);
            if (row == there.end() || row->second != told.to) {
                throw Violation(
                    "kept",
                    fmt::format("message {} was accepted, and is gone by evening", told.id.value),
                    {told.to, fmt::format("message {}", told.id.value)});
            }
        }
        of_days_.erase(of_days_.begin(),
                       of_days_.begin() + static_cast<std::ptrdiff_t>(of_yesterday_));
        of_yesterday_ = of_days_.size();
    }

private:
    /// Its row is the message itself.
    static bool is_acceptance(const Event& event) {
        return event.state == MessageState::queued || event.state == MessageState::scheduled;
    }

    std::vector<Told> told_;  // since the last start
    std::vector<Event> events_;
    std::vector<Told> of_days_;  // yesterday's first
    std::size_t of_yesterday_ = 0;
};

}  // namespace

std::unique_ptr<Checker> kept() {
    return std::make_unique<Kept>();
}

}  // namespace smsrack::days
