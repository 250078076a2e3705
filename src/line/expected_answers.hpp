/// Whether anything is expected for the SIM of a parked line, as the store answered last.
///
/// The store need not look again at attempts that were settled when it was asked the last time.
/// Threads: the line's thread.
#pragma once

#include "src/base/clock.hpp"
#include "src/base/ids.hpp"
#include "src/base/result.hpp"
#include "src/ports/store.hpp"

#include <cstdint>
#include <optional>

namespace smsrack::line {

class ExpectedAnswers {
public:
    struct Question {
        std::uint64_t number = 0;
        SimId sim = {};
        WallTime asked = {};
        AttemptId settled = {};  ///< those before it need not be looked at
    };

    [[nodiscard]] Question ask(SimId sim, WallTime now) {
        // Where the clock was set back, what was out of date may be waited for again.
        const bool goes_on = last_.sim == sim && last_.asked <= now;
        return {++number_, sim, now, goes_on ? last_.settled : AttemptId{}};
    }

    /// nullopt if another question was asked since. A store that cannot be read does not say that nothing is
    /// expected.
    [[nodiscard]] std::optional<bool> answered(const Question& question,
                                               const Result<ports::Expected>& answer) {
        if (question.number != number_) {
            return std::nullopt;
        }
        if (answer) {
            last_ = {question.number, question.sim, question.asked, answer->settled};
        }
        return !answer || answer->anything;
    }

private:
    std::uint64_t number_ = 0;
    Question last_;  // with what was settled then
};

}  // namespace smsrack::line
