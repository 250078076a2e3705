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

/// What is left of OK where octets were lost: nothing else leaves one of these alone.
bool is_torn_ok(std::string_view line) {
    return line == "O" || line == "K";
}

/// Appends a piece of a line; what is longer than any line is no line.
void join(std::string& pieces, std::string_view piece) {
    if (pieces.size() + piece.size() > LineFramer::line_max) {
        pieces.clear();
    }
    pieces += piece;
}

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
    urc_pdu_.clear();
    urc_by_ = never;
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
            .urc_patience = urc_patience_,
            .urc_pdu = urc_pdu_};
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
    urc_pdu_ = carried.urc_pdu;
    urc_by_ = urc_header_.empty() ? never : last_input_ + urc_pdu_limit;
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
    answered_ = heard_ = false;
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
    pdu_.clear();
    piece_.clear();
    torn_ok_at_ = never;
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
    if (now >= urc_by_) {
        tell_urc_with_pdu();
    }
    if (busy_ && now >= std::min(deadline_, silent_at())) {
        const bool by_silence = now < deadline_;
        const bool in_half = torn_ok_at_ != never;
        end({by_silence ? FinalKind::ok : FinalKind::timed_out}, by_silence && !in_half);
    }
    return pipe_state_;
}

/// When the command in hand is ended by what came of its answer.
SteadyTime AtChannel::silent_at() const {
    const SteadyTime in_half = torn_ok_at_ == never ? never : torn_ok_at_ + torn_ok_limit;
    return command_.ends == Ends::at_silence_too && answered_
               ? std::min(in_half, answered_at_ + command_.silence)
               : in_half;
}

SteadyTime AtChannel::deadline() const {
    return busy_ ? std::min({deadline_, silent_at(), urc_by_}) : urc_by_;
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
    const auto kind = classify(line.text, context(), urcs_);
    tell_trace(kind, line.text);
    take_kind(kind, line.text);
}

LineContext AtChannel::context() const {
    return busy_ ? LineContext{.echo = answered_ ? std::string_view{} : text_,
                               .prefix = command_.prefix,
                               .is_answer = command_.is_answer}
                 : LineContext{};
}

void AtChannel::take_kind(LineKind kind, std::string_view line) {
    switch (kind) {
        case LineKind::echo:
        case LineKind::prompt:
            return;
        case LineKind::final_result:
            return take_final(parse_final_result(line).value_or(FinalResult{}));
        case LineKind::urc:
            return take_urc(line);
        case LineKind::intermediate:
        case LineKind::data:
            return take_answer(kind, line);
    }
}

/// The PDU line of a URC is found by its length. Digits that fit neither the URC nor the command in hand
/// are a piece of the URC's PDU, unless the command takes such lines.
bool AtChannel::take_urc_pdu(std::string_view line) {
    if (urc_header_.empty()) {
        return false;
    }
    const bool is_piece = is_hex_piece(line);
    const bool command_takes_it = busy_ && (command_.takes == Takes::text || !pdu_header_.empty());
    if (is_piece && (!command_takes_it || pdu_fits(urc_header_, urc_pdu_ + std::string(line)))) {
        tell_trace(LineKind::urc, line);
        join(urc_pdu_, line);
        if (pdu_fits(urc_header_, urc_pdu_)) {
            tell_urc_with_pdu();
        }
        return true;
    }
    if (--urc_patience_ == 0) {
        ++dropped_lines_;
        tell_urc_with_pdu();
    }
    return false;
}

void AtChannel::take_urc(std::string_view line) {
    if (!find_urc(line, urcs_)->takes_pdu) {
        listener_.on_urc(line, {});
        return;
    }
    if (!urc_header_.empty()) {
        ++dropped_lines_;
        tell_urc_with_pdu();
    }
    urc_header_ = line;
    urc_patience_ = urc_patience;
    urc_by_ = now_ + urc_pdu_limit;
}

/// Whole, or what came of it.
void AtChannel::tell_urc_with_pdu() {
    urc_by_ = never;
    const std::string header = std::exchange(urc_header_, {});
    const std::string pdu = std::exchange(urc_pdu_, {});
    listener_.on_urc(header, pdu);
}

/// A URC's PDU follows its header at once. Where an answer's header comes instead, of the same length, the next PDU may be that of
/// either: neither gets it, so that nothing is confirmed or erased for another.
bool AtChannel::give_up_mixed(std::string_view line) {
    if (urc_header_.empty() || !same_length(urc_header_, line)) {
        return false;
    }
    ++dropped_lines_;
    tell_pdu();
    tell_urc_with_pdu();
    heard_ = true;
    listener_.on_piece(line);
    return true;
}

void AtChannel::take_answer(LineKind kind, std::string_view line) {
    const bool takes_pdu = command_.takes == Takes::pdu;
    if (takes_pdu && kind == LineKind::intermediate && give_up_mixed(line)) {
        return;
    }
    if (kind == LineKind::data && !(busy_ && command_.takes == Takes::text)) {
        const bool is_pdu = busy_ && !pdu_header_.empty() && is_hex_piece(line);
        return is_pdu ? take_pdu_piece(line) : take_piece(line);
    }
    heard_ = true;
    stray_ok_ = false;
    tell_pdu();
    if (takes_pdu) {
        pdu_header_ = line;
    } else {
        answered_ = true;
        answered_at_ = now_;
    }
    listener_.on_line(kind, line);
}

void AtChannel::take_pdu_piece(std::string_view line) {
    heard_ = true;
    join(pdu_, line);
    if (pdu_fits(pdu_header_, pdu_)) {
        answered_ = true;
        answered_at_ = now_;
        tell_pdu();
    }
}

/// Whole, or what came of it until the next header or the end.
void AtChannel::tell_pdu() {
    pdu_header_.clear();
    if (const std::string pdu = std::exchange(pdu_, {}); !pdu.empty()) {
        listener_.on_line(LineKind::data, pdu);
    }
}

/// A line that is nothing by itself may be the second half of one that a URC cut.
void AtChannel::take_piece(std::string_view line) {
    ++dropped_lines_;
    if (busy_) {
        heard_ = true;
        const std::string joined = piece_ + std::string(line);
        const auto kind = classify(joined, context(), urcs_);
        if (!piece_.empty() && (kind == LineKind::final_result || kind == LineKind::intermediate)) {
            piece_.clear();
            torn_ok_at_ = never;
            tell_trace(kind, joined);
            return take_kind(kind, joined);
        }
        piece_ = line;
        if (is_torn_ok(line) && (answered_ || !has_information(command_))) {
            torn_ok_at_ = now_;
        }
    }
    listener_.on_piece(line);
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

void AtChannel::end(FinalResult result, bool owes_ok) {
    tell_pdu();
    abandon();
    stray_ok_ = owes_ok;
    free_at_ = now_ + gap_;
    listener_.on_final(result);
}

}  // namespace smsrack::at
