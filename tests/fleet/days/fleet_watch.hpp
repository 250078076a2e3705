/// What must hold of a fleet, whatever fails; and what happened, for the story of what does not.
///
/// It compares what can be seen from outside (what was accepted, what is at the network, what boxes say)
/// with the truth of the engine's model.
/// Time:    simulated.
#pragma once

#include "src/base/clock.hpp"
#include "src/sms/event.hpp"
#include "src/sms/fleet_stage.hpp"
#include "tests/fleet/model/engine_model.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace smsrack::test {

inline constexpr std::array<std::string_view, 9> fleet_rule_names{
    "once",  // no message is at the network twice, unless the policy has decided between
    "firm",  // what a box begins is firm in the engine and its own, or accepted here and not there yet
    "kept",     // what is kept by the cluster is there, also when boxes are gone for good
    "truth",    // what a box says of a message is what happened to it
    "forward",  // a box that has said an end says no other one
    "ends",     // when all is repaired, each message comes to its end
    "served",   // most of them are sent
    "obeys",    // each box obeys the opt-outs that it has read, and in the end the newest ones
    "asks",  // a question to another box is heard once, by that one, in time, and has one answer or failure
};

struct FleetViolation {
    std::string rule = {};
    std::string what = {};
    std::string about = {};  ///< text of the message, or name of the question
};

class FleetWatch {
public:
    /// Both outlive the object. `rule`: looks at this one alone; empty: at all.
    FleetWatch(const EngineModel& engine, const Clock& clock, std::string rule);

    struct Message {
        std::string text = {};
        std::size_t box = 0;  ///< that accepted it
        MessageId id = {};
        std::vector<std::size_t> left = {};       ///< by which boxes, in order
        std::optional<MessageState> unsent = {};  ///< an end that says so
        Kept kept = Kept::here;                   ///< as far as its box knew when it went for good
    };

    void accepted(std::size_t box, MessageId id, const std::string& text);
    void begins(std::size_t box, const std::string& text);
    void leaves(std::size_t box, const std::string& text);
    void says(std::size_t box, const Event& event);
    /// A fault, or its end; or what is said about a question.
    void note(std::string what, std::string about = {}) { add(std::move(about), std::move(what)); }
    void wrong(std::string_view rule, std::string what, const std::string& about);

    [[nodiscard]] std::vector<Message>& messages() { return messages_; }
    /// nullopt: it is not there.
    [[nodiscard]] const EngineState::Row* in_engine(MessageId id) const;
    /// It was put, and the engine has not kept it: its box alone says what became of it.
    [[nodiscard]] bool was_refused(MessageId id) const { return engine_.state().has_refused(id); }
    /// Where the engine has it, in words.
    [[nodiscard]] std::string where(MessageId id) const;
    [[nodiscard]] const std::optional<FleetViolation>& violation() const { return violation_; }
    /// What happened to the message of the violation, and to the fleet meanwhile.
    [[nodiscard]] std::vector<std::string> story() const;
    [[nodiscard]] std::uint64_t fingerprint() const { return fingerprint_; }

private:
    struct Line {
        SteadyTime at = {};
        std::string about = {};  // text of a message; empty: the fleet
        std::string what = {};
    };

    void add(std::string about, std::string what);
    [[nodiscard]] Message& message(const std::string& text);

    const EngineModel& engine_;
    const Clock& clock_;
    const std::string rule_;
    std::vector<Message> messages_ = {};
    std::map<std::string, std::size_t> by_text_ = {};
    std::map<MessageId, std::size_t> by_id_ = {};
    std::map<std::pair<std::size_t, MessageId>, MessageState> said_ = {};  // ends, by each box
    std::vector<Line> lines_ = {};
    std::uint64_t fingerprint_ = 0;
    std::optional<FleetViolation> violation_ = {};
};

}  // namespace smsrack::test
