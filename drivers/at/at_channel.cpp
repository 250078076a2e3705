#include "drivers/at/at_channel.hpp"

#include "drivers/at/pdu_line.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::at {
namespace {

/// How many other lines may come between a URC and its PDU line before the PDU is given up: an
/// answer of two lines and its final result, and one more.
constexpr int urc_patience = 4;

/// AT commands and PDUs are shorter; room for both so that nothing is allocated later.
constexpr std::size_t write_reserve = 512;

}  // namespace

AtChannel::AtChannel(std::span<const UrcRule> urcs, AtListener& listener,
                     std::chrono::milliseconds gap, AtTrace* trace)
    : urcs_(urcs), listener_(listener), gap_(gap), trace_(trace) {
    unwritten_.reserve(write_reserve);
    text_.reserve(write_reserve);
}

void AtChannel::attach(serial::BytePipe* pipe) {
    pipe_ = pipe;
    pipe_state_ = {};
    unwritten_.clear();
    framer_.clear();
    abandon();
    urc_header_.clear();
    stray_ok_ = false;
    free_at_ = {};
}

ChannelCarried AtChannel::carried() const {
    return {.unwritten = unwritten_,
            .half_line = framer_.half_line(),
            .expects_prompt = framer_.expects_prompt(),
            .busy = busy_,
            .text = text_,
            .deadline = deadline_,
            .free_at = free_at_,
            .last_input = last_input_,
            .answered = answered_,
            .stray_ok = stray_ok_,
            .urc_header = urc_header_,
            .urc_patience = urc_patience_};
}

void AtChannel::adopt(serial::BytePipe* pipe, const ChannelCarried& carried,
                      const Command& command) {
    attach(pipe);
    unwritten_ = carried.unwritten;
    framer_.resume(carried.half_line, carried.expects_prompt);
    busy_ = carried.busy;
    command_ = carried.busy ? command : Command{};
    text_ = carried.text;
    command_.text = text_;
    deadline_ = carried.deadline;
    free_at_ = carried.free_at;
    last_input_ = carried.last_input;
    answered_ = carried.answered;
    stray_ok_ = carried.stray_ok;
    urc_header_ = carried.urc_header;
    urc_patience_ = carried.urc_patience;
}

bool AtChannel::is_free(SteadyTime now) const {
    return pipe_ != nullptr && !busy_ && now >= free_at_;
}

void AtChannel::start(const Command& command, SteadyTime now) {
    SMSRACK_CHECK(!busy_);
    busy_ = true;
    stray_ok_ = stray_ok_ && has_information(command);  // else it can't be told from the answer
    command_ = command;
    text_.assign(command.text);
    command_.text = text_;
    deadline_ = now + command.timeout;
    answered_ = false;
    pdu_header_.clear();
    framer_.expect_prompt(command.prompt);
    tell_trace(text_);
    unwritten_.append(text_);
    write("\r");
}

void AtChannel::go_on(std::string_view bytes, char end_byte, SteadyTime deadline) {
    SMSRACK_CHECK(busy_);
    text_.assign(bytes);
    deadline_ = deadline;
    framer_.expect_prompt(false);
    tell_trace(bytes);
    unwritten_.append(bytes);
    write({&end_byte, 1});
}

void AtChannel::hurry(SteadyTime deadline) {
    deadline_ = std::min(deadline_, deadline);
}

void AtChannel::abandon() {
    busy_ = false;
    deadline_ = never;
    text_.clear();
    pdu_header_.clear();
    framer_.expect_prompt(false);
}

void AtChannel::write_raw(std::string_view bytes) {
    tell_trace(bytes);
    write(bytes);
}

void AtChannel::write(std::string_view bytes) {
    unwritten_.append(bytes);
    if (pipe_ == nullptr || !pipe_state_) {
        unwritten_.clear();
        return;
    }
    auto written = pipe_->write(unwritten_);
    if (!written) {
        pipe_state_ = std::unexpected(std::move(written.error()));
        unwritten_.clear();
        return;
    }
    unwritten_.erase(0, *written);
}

void AtChannel::tell_trace(std::string_view line) {
    if (trace_ != nullptr) {
        trace_->wrote(line);
    }
}

void AtChannel::tell_trace(LineKind kind, std::string_view line) {
    if (trace_ != nullptr) {
        trace_->heard(kind, line);
    }
}

Result<> AtChannel::step(SteadyTime now) {
    now_ = now;
    for (int reads = 0; pipe_ != nullptr && pipe_state_ && reads < reads_max; ++reads) {
        auto got = pipe_->read(read_buffer_);
        if (!got) {
            pipe_state_ = std::unexpected(std::move(got.error()));
            break;
        }
        if (*got > 0) {
            last_input_ = now;
            take(std::span(read_buffer_).first(*got));
        }
        if (*got < read_buffer_.size()) {
            break;
        }
    }
    if (!unwritten_.empty()) {
        write({});
    }
    if (busy_ && now >= deadline()) {
        const bool by_silence =
            command_.ends == Ends::at_silence_too && answered_ && now < deadline_;
        end({by_silence ? FinalKind::ok : FinalKind::timed_out});
        stray_ok_ = by_silence;
    }
    return pipe_state_;
}

SteadyTime AtChannel::deadline() const {
    if (!busy_) {
        return never;
    }
    if (command_.ends == Ends::at_silence_too && answered_) {
        return std::min(deadline_, last_input_ + silence_ends);
    }
    return deadline_;
}

void AtChannel::take(std::span<const char> bytes) {
    while (const auto line = framer_.next(bytes)) {
        take_line(*line);
    }
}

void AtChannel::take_line(const FramedLine& line) {
    if (line.prompt) {
        framer_.expect_prompt(false);
        deadline_ = never;
        tell_trace(LineKind::prompt, "> ");
        listener_.on_prompt();
        return;
    }
    if (take_urc_pdu(line.text)) {
        return;
    }
    const LineContext context = busy_ ? LineContext{.echo = answered_ ? std::string_view{} : text_,
                                                    .prefix = command_.prefix,
                                                    .is_answer = command_.is_answer}
                                      : LineContext{};
    const auto kind = classify(line.text, context, urcs_);
    tell_trace(kind, line.text);
    switch (kind) {
        case LineKind::echo:
        case LineKind::prompt:
            return;
        case LineKind::final_result:
            return take_final(parse_final_result(line.text).value_or(FinalResult{}));
        case LineKind::urc:
            return take_urc(line.text);
        case LineKind::intermediate:
        case LineKind::data:
            return take_answer(kind, line.text);
    }
}

/// The PDU line of a URC is told by its length. A line of digits that fits neither the URC nor the
/// command in hand is the URC's, unless the command takes such lines.
bool AtChannel::take_urc_pdu(std::string_view line) {
    if (urc_header_.empty()) {
        return false;
    }
    const bool command_takes_it = busy_ && (command_.takes == Takes::text || !pdu_header_.empty());
    if (!pdu_fits(urc_header_, line) && (!is_hex_line(line) || command_takes_it)) {
        if (--urc_patience_ == 0) {
            urc_header_.clear();
            ++dropped_lines_;
        }
        return false;
    }
    tell_trace(LineKind::urc, line);
    const std::string header = std::exchange(urc_header_, {});
    listener_.on_urc(header, line);
    return true;
}

void AtChannel::take_urc(std::string_view line) {
    if (!find_urc(line, urcs_)->takes_pdu) {
        listener_.on_urc(line, {});
        return;
    }
    if (!urc_header_.empty()) {
        ++dropped_lines_;
    }
    urc_header_ = line;
    urc_patience_ = urc_patience;
}

void AtChannel::take_answer(LineKind kind, std::string_view line) {
    if (kind == LineKind::data) {
        const bool wanted =
            busy_ && (command_.takes == Takes::text || (!pdu_header_.empty() && is_hex_line(line)));
        if (!wanted) {
            ++dropped_lines_;
            return;
        }
        pdu_header_.clear();
    } else if (command_.takes == Takes::pdu) {
        pdu_header_ = line;
    }
    answered_ = true;
    stray_ok_ = false;
    listener_.on_line(kind, line);
}

void AtChannel::take_final(FinalResult result) {
    if (!busy_) {
        stray_ok_ = false;
        listener_.on_stray_final(result);
        return;
    }
    if (stray_ok_ && result.kind == FinalKind::ok) {
        stray_ok_ = false;
        return;
    }
    end(result);
}

void AtChannel::end(FinalResult result) {
    abandon();
    stray_ok_ = false;
    free_at_ = now_ + gap_;
    listener_.on_final(result);
}

}  // namespace smsrack::at
