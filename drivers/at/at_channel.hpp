/// The AT channel: sends one command at a time, and passes on URCs in between.
///
/// A URC may cut a line in two, and a UART may lose octets. Pieces of a line are joined where only one
/// line can come of them: a PDU by the length in its header, a final result code or a header by its
/// words. What stays unexplained is passed to on_piece().
/// Time:    one absolute deadline per command, and one for what follows a prompt; no input extends it.
/// Bound:   of ChannelPipe and UrcPdu; the pieces of one line have at most LineFramer::line_max octets.
/// Threads: the line's thread.
/// Errors:  closed: the pipe is gone. Whatever the modem says wrong is dropped and counted.
#pragma once

#include "drivers/at/answer_pieces.hpp"
#include "drivers/at/channel_pipe.hpp"
#include "drivers/at/final_result.hpp"
#include "drivers/at/line_class.hpp"
#include "drivers/at/line_framer.hpp"
#include "drivers/at/urc_pdu.hpp"
#include "src/base/members.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <span>
#include <string>

namespace smsrack::at {

/// State of a channel with a command in flight, for another channel that adopts the same port: see
/// adopt().
struct ChannelCarried {
    std::string unwritten = {};  ///< octets that the port did not take yet
    std::string half_line = {};  ///< read, without its end
    bool expects_prompt = false;
    bool busy = false;      ///< a command is in flight
    std::string text = {};  ///< what was written last, for its echo
    SteadyTime deadline = never;
    SteadyTime free_at = {};
    SteadyTime last_input = {};
    bool answered = false;
    bool stray_ok = false;
    std::string urc_header = {};  ///< of a URC whose PDU line is still to come
    int urc_patience = 0;
    std::string urc_pdu = {};  ///< the pieces of it that came
    SMSRACK_MEMBERS(unwritten, half_line, expects_prompt, busy, text, deadline, free_at, last_input,
                    answered, stray_ok, urc_header, urc_patience);
    SMSRACK_LATER_MEMBERS(urc_pdu);
};

/// Hears what the modem says; views live until the call returns. Starts no command from within
/// these calls: after step().
class AtListener {
public:
    AtListener() = default;
    AtListener(const AtListener&) = delete;
    AtListener& operator=(const AtListener&) = delete;
    virtual ~AtListener() = default;

    /// A command, a PDU, or ESC went out; without what ends it.
    virtual void on_written(std::string_view /*line*/) {}
    /// Each line once, before it is passed on; the prompt as "> ".
    virtual void on_heard(LineKind /*kind*/, std::string_view /*line*/) {}

    virtual void on_prompt() = 0;  ///< the deadline is met; what comes next is go_on() or ESC
    /// Intermediate, or data where it takes such.
    virtual void on_line(LineKind kind, std::string_view line) = 0;
    virtual void on_piece(std::string_view /*line*/) {}  ///< nothing explains it: torn, or noise
    virtual void on_final(FinalResult result) = 0;       ///< the end of the command in flight
    /// `pdu` as it came where its rule takes one: see pdu_fits().
    virtual void on_urc(std::string_view line, std::string_view pdu) = 0;
    virtual void on_stray_final(FinalResult result) = 0;  ///< no command is in flight
};

class AtChannel {
public:
    /// `urcs` and `listener` outlive this object. `gap`: pause after each final result.
    AtChannel(std::span<const UrcRule> urcs, AtListener& listener, std::chrono::milliseconds gap);

    /// Speaks through `pipe` from now on; null: through none. A command in flight is forgotten.
    void attach(serial::BytePipe* pipe);

    /// The command that is in flight now.
    [[nodiscard]] ChannelCarried carried() const;
    /// Resumes it through `pipe`. `command`: the one in flight, if `carried` says that there is
    /// one.
    void adopt(serial::BytePipe* pipe, const ChannelCarried& carried, const Command& command);

    /// No command is in flight, and the gap after the last one is over.
    [[nodiscard]] bool is_free(SteadyTime now) const {
        return pipe_.is_attached() && !busy_ && now >= free_at_;
    }
    [[nodiscard]] bool is_busy() const { return busy_; }
    [[nodiscard]] SteadyTime free_at() const { return free_at_; }

    /// Writes the command; not while another is in flight.
    void start(const Command& command, SteadyTime now);

    /// After the prompt: writes `bytes` and `end` at once; the same command continues to its final
    /// result, by `deadline`.
    void go_on(std::string_view bytes, char end, SteadyTime deadline);

    /// What is still to come is near: the deadline only ever moves nearer.
    void hurry(SteadyTime deadline) { deadline_ = std::min(deadline_, deadline); }

    /// Forgets the command in flight; its final result is a stray one.
    void abandon();

    /// Bytes that belong to no command: ESC.
    void write_raw(std::string_view bytes);

    /// The rate of the port; 0: not known.
    [[nodiscard]] std::uint32_t baud() const { return pipe_.baud(); }
    /// The port's rate from now on, while no command is in flight; half a line that came at the one before
    /// is forgotten. bad_config: the port does not have it.
    [[nodiscard]] Result<> set_baud(std::uint32_t baud);
    /// What came since the last whole line has octets that no modem says: noise, or another rate.
    [[nodiscard]] bool hears_noise() const;

    /// Reads, finishes a write cut short, ends the command whose time is over.
    [[nodiscard]] Result<> step(SteadyTime now);

    /// When step() must be called at the latest.
    [[nodiscard]] SteadyTime deadline() const {
        return busy_ ? std::min({deadline_, answer_.silent_at(command_), urc_.by()}) : urc_.by();
    }

    /// When the modem last said anything.
    [[nodiscard]] SteadyTime last_input() const { return last_input_; }

    /// The last command was ended by silence: its OK may still come.
    [[nodiscard]] bool may_owe_ok() const { return stray_ok_; }

    /// The command in flight, or the last one, was answered at least in part.
    [[nodiscard]] bool was_heard() const { return answer_.was_heard(); }

    /// Lines that were not expected, and URCs whose PDU line never came.
    [[nodiscard]] std::uint64_t dropped_lines() const { return dropped_lines_; }

private:
    void take(std::span<const char> bytes);
    void take_line(const FramedLine& line);
    [[nodiscard]] bool take_urc_pdu(std::string_view line);
    void take_urc(std::string_view line);
    void tell_urc_with_pdu();
    void take_kind(LineKind kind, std::string_view line);
    [[nodiscard]] bool give_up_mixed(std::string_view line);
    void take_answer(LineKind kind, std::string_view line);
    void take_pdu_piece(std::string_view line);
    void tell_pdu();
    void take_piece(std::string_view line);
    void take_final(FinalResult result);
    [[nodiscard]] LineContext context() const;
    void end(FinalResult result, bool owes_ok = false);

    const std::span<const UrcRule> urcs_;
    AtListener& listener_;
    const std::chrono::milliseconds gap_;

    ChannelPipe pipe_;
    LineFramer framer_;
    SteadyTime now_ = {};
    SteadyTime last_input_ = {};

    bool busy_ = false;
    Command command_ = {};  // in flight; its text is text_
    std::string text_;      // what was written last, for its echo
    SteadyTime deadline_ = never;
    SteadyTime free_at_ = {};
    AnswerPieces answer_;    // of the command in flight, or the last one
    bool stray_ok_ = false;  // the last command ended by silence: its OK may still come
    UrcPdu urc_;
    std::uint64_t dropped_lines_ = 0;
};

}  // namespace smsrack::at
