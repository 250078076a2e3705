#include "tests/simulate/checkers.hpp"

#include <fmt/format.h>
#include <map>

namespace smsrack::simulate {
namespace {

class Gate final : public Checker {
public:
    [[nodiscard]] std::string_view name() const override { return "gate"; }

    void gated(const std::string& line, bool open) override {
        if (open) {
            blocked_.erase(line);
        } else {
            blocked_[line] = {};
        }
    }

    /// What it holds it ends, so the first segment of a message counts; and what it was given just before the order came is told first.
    void event(const Event& event) override {
        const bool begun = event.type == EventType::message_state &&
                           event.state == MessageState::sending && event.attempt == 1 &&
                           event.segment == 0;
        const auto line = begun ? blocked_.find(event.modem) : blocked_.end();
        if (line == blocked_.end()) {
            return;
        }
        if (++line->second > 1) {
            throw Violation("gate",
                            fmt::format("{} is drained and was given message {}", event.modem,
                                        event.message.value),
                            {event.modem, fmt::format("message {}", event.message.value)});
        }
    }

private:
    std::map<std::string, unsigned> blocked_;  // begun since
};

}  // namespace

std::unique_ptr<Checker> gate() {
    return std::make_unique<Gate>();
}

}  // namespace smsrack::simulate
