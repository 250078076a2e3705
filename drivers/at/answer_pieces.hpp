/// What came of the answer to the command in flight, as far as it is not passed on yet.
///
/// Time:    an answer that may end without OK is over when nothing follows for Command::silence; half of an OK
///          is one after torn_ok_limit.
/// Threads: the line's thread.
#pragma once

#include "drivers/at/command.hpp"
#include "drivers/at/pdu_line.hpp"
#include "src/base/clock.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>

namespace smsrack::at {

class AnswerPieces {
public:
    /// For the other half of an OK of which one letter came.
    static constexpr std::chrono::milliseconds torn_ok_limit{100};

    /// A command goes out.
    void begin() { heard_ = answered_ = false; }
    /// The command has ended, or is forgotten: only what was heard of it stays known.
    void end() {
        pdu_header_.clear();
        pdu_.clear();
        piece_.clear();
        torn_ok_at_ = never;
    }

    /// Anything of the answer came.
    void hear() { heard_ = true; }
    [[nodiscard]] bool was_heard() const { return heard_; }
    /// An information line came, with its PDU.
    void complete(SteadyTime now) {
        answered_ = true;
        answered_at_ = now;
    }
    [[nodiscard]] bool is_answered() const { return answered_; }
    void resume(bool answered) { answered_ = answered; }

    // -- a PDU behind its header
    void expect_pdu(std::string_view header) { pdu_header_ = header; }
    [[nodiscard]] bool expects_pdu() const { return !pdu_header_.empty(); }
    /// True: it is whole.
    [[nodiscard]] bool add_pdu(std::string_view piece) {
        join(pdu_, piece);
        return pdu_fits(pdu_header_, pdu_);
    }
    /// Whole, or what came of it; empty: none was expected, or nothing came.
    [[nodiscard]] std::string take_pdu() {
        pdu_header_.clear();
        return std::exchange(pdu_, {});
    }

    // -- a line that is nothing by itself
    /// With the piece before it, which is forgotten when the line is taken.
    [[nodiscard]] std::string joined(std::string_view line) const {
        return piece_ + std::string(line);
    }
    [[nodiscard]] bool has_piece() const { return !piece_.empty(); }
    void keep_piece(std::string_view line) { piece_ = line; }
    void drop_piece() {
        piece_.clear();
        torn_ok_at_ = never;
    }
    /// The piece may be half of an OK.
    void is_half_ok(SteadyTime now) { torn_ok_at_ = now; }
    [[nodiscard]] bool has_half_ok() const { return torn_ok_at_ != never; }

    /// When the command is ended by what came of its answer.
    [[nodiscard]] SteadyTime silent_at(const Command& command) const {
        const SteadyTime in_half = has_half_ok() ? torn_ok_at_ + torn_ok_limit : never;
        return command.ends == Ends::at_silence_too && answered_
                   ? std::min(in_half, answered_at_ + command.silence)
                   : in_half;
    }

private:
    bool heard_ = false;
    bool answered_ = false;
    SteadyTime answered_at_ = {};
    std::string pdu_header_;         // its PDU line is the next
    std::string pdu_;                // the pieces of it that came
    std::string piece_;              // the unexplained line before
    SteadyTime torn_ok_at_ = never;  // half of an OK came then
};

}  // namespace smsrack::at
