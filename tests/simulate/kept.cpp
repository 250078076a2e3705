#include "tests/simulate/checkers.hpp"
#include "tests/simulate/ledger.hpp"

#include <fmt/format.h>

namespace smsrack::simulate {
namespace {

class Kept final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "kept"; }

    void accepted(const Told& told) override { told_.push_back(told); }

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

private:
    /// Its row is the message itself.
    static bool is_acceptance(const Event& event) {
        return event.state == MessageState::queued || event.state == MessageState::scheduled;
    }

    std::vector<Told> told_;  // since the last start
    std::vector<Event> events_;
};

}  // namespace

std::unique_ptr<Checker> kept() {
    return std::make_unique<Kept>();
}

}  // namespace smsrack::simulate
