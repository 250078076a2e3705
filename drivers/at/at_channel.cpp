#include "drivers/at/at_channel.hpp"

#include "drivers/at/pdu_line.hpp"
#include "src/base/check.hpp"

#include <algorithm>
#include <utility>

namespace smsrack::at {
namespace {

/// What is left of OK where octets were lost: nothing else leaves one of these alone.
bool is_torn_ok(std::string_view line) {
    return line == "O" || line == "K";
}

}  // namespace

AtChannel::AtChannel(std::span<const UrcRule> urcs, AtListener& listener,
                     std::chrono::milliseconds gap)
    : urcs_(urcs), listener_(listener), gap_(gap) {
    text_.reserve(ChannelPipe::write_reserve);
}

void AtChannel::attach(serial::BytePipe* pipe) {
    pipe_.attach(pipe);
    framer_.clear();
    abandon();
    urc_.clear();
    stray_ok_ = false;
    free_at_ = {};
}

ChannelCarried AtChannel::carried() const {
    return {.unwritten = pipe_.unwritten(),
            .half_line = framer_.half_line(),
            .expects_prompt = framer_.expects_prompt(),
            .busy = busy_,
            .text = text_,
            .deadline = deadline_,
            .free_at = free_at_,
            .last_input = last_input_,
            .answered = answer_.is_answered(),
            .stray_ok = stray_ok_,
            .urc_header = urc_.header(),
            .urc_patience = urc_.patience(),
            .urc_pdu = urc_.pieces()};
}

void AtChannel::adopt(serial::BytePipe* pipe, const ChannelCarried& carried,
                      const Command& command) {
    attach(pipe);
    pipe_.resume(carried.unwritten);
    framer_.resume(carried.half_line, carried.expects_prompt);
    busy_ = carried.busy;
    command_ = carried.busy ? command : Command{};
    text_ = carried.text;
    command_.text = text_;
    deadline_ = carried.deadline;
    free_at_ = carried.free_at;
    last_input_ = carried.last_input;
    answer_.resume(carried.answered);
    stray_ok_ = carried.stray_ok;
    urc_.resume(carried.urc_header, carried.urc_pdu, carried.urc_patience, carried.last_input);
}

void AtChannel::start(const Command& command, SteadyTime now) {
    SMSRACK_CHECK(!busy_);
    busy_ = true;
    // else it can't be distinguished from the answer
    stray_ok_ = stray_ok_ && has_information(command);
    command_ = command;
    text_.assign(command.text);
    command_.text = text_;
    deadline_ = now + command.timeout;
    answer_.begin();
    framer_.expect_prompt(command.prompt);
    listener_.on_written(text_);
    pipe_.write({text_, "\r"});
}

void AtChannel::go_on(std::string_view bytes, char end_byte, SteadyTime deadline) {
    SMSRACK_CHECK(busy_);
    text_.assign(bytes);
    deadline_ = deadline;
    framer_.expect_prompt(false);
    listener_.on_written(bytes);
    pipe_.write({bytes, {&end_byte, 1}});
}

void AtChannel::abandon() {
    busy_ = false;
    deadline_ = never;
    text_.clear();
    answer_.end();
    framer_.expect_prompt(false);
}

void AtChannel::write_raw(std::string_view bytes) {
    listener_.on_written(bytes);
    pipe_.write({bytes});
}

Result<> AtChannel::set_baud(std::uint32_t baud) {
    auto set = pipe_.set_baud(baud);
    if (set) {
        framer_.clear();
    }
    return set;
}

bool AtChannel::hears_noise() const {
    constexpr std::size_t enough = 8;  // a glitch of the line makes fewer
    return framer_.strange() >= enough;
}

Result<> AtChannel::step(SteadyTime now) {
    now_ = now;
    pipe_.read([this](std::span<const char> bytes) {
        last_input_ = now_;
        take(bytes);
    });
    pipe_.write({});
    if (now >= urc_.by()) {
        tell_urc_with_pdu();
    }
    if (busy_ && now >= std::min(deadline_, answer_.silent_at(command_))) {
        const bool by_silence = now < deadline_;
        const bool in_half = answer_.has_half_ok();
        end({by_silence ? FinalKind::ok : FinalKind::timed_out}, by_silence && !in_half);
    }
    return pipe_.state();
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
        listener_.on_heard(LineKind::prompt, "> ");
        listener_.on_prompt();
        return;
    }
    if (take_urc_pdu(line.text)) {
        return;
    }
    const auto kind = classify(line.text, context(), urcs_);
    listener_.on_heard(kind, line.text);
    take_kind(kind, line.text);
}

LineContext AtChannel::context() const {
    return busy_ ? LineContext{.echo = answer_.is_answered() ? std::string_view{} : text_,
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

/// The PDU line of a URC is found by its length. Digits that fit neither the URC nor the command in
/// flight are a piece of the URC's PDU, unless the command takes such lines.
bool AtChannel::take_urc_pdu(std::string_view line) {
    if (!urc_.is_open()) {
        return false;
    }
    const bool is_piece = is_hex_piece(line);
    const bool command_takes_it = busy_ && (command_.takes == Takes::text || answer_.expects_pdu());
    if (is_piece && (!command_takes_it || urc_.ends_with(line))) {
        listener_.on_heard(LineKind::urc, line);
        if (urc_.add(line)) {
            tell_urc_with_pdu();
        }
        return true;
    }
    if (urc_.is_passed_over()) {
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
    if (urc_.is_open()) {
        ++dropped_lines_;
        tell_urc_with_pdu();
    }
    urc_.begin(line, now_);
}

/// Whole, or what came of it.
void AtChannel::tell_urc_with_pdu() {
    const auto [header, pdu] = urc_.take();
    listener_.on_urc(header, pdu);
}

/// A URC's PDU follows its header at once. Where an answer's header comes instead, of the same length, the next PDU may be that of
/// either: neither gets it, so that nothing is confirmed or erased for another.
bool AtChannel::give_up_mixed(std::string_view line) {
    if (!urc_.is_open() || !same_length(urc_.header(), line)) {
        return false;
    }
    ++dropped_lines_;
    tell_pdu();
    tell_urc_with_pdu();
    answer_.hear();
    listener_.on_piece(line);
    return true;
}

void AtChannel::take_answer(LineKind kind, std::string_view line) {
    const bool takes_pdu = command_.takes == Takes::pdu;
    if (takes_pdu && kind == LineKind::intermediate && give_up_mixed(line)) {
        return;
    }
    if (kind == LineKind::data && !(busy_ && command_.takes == Takes::text)) {
        const bool is_pdu = busy_ && answer_.expects_pdu() && is_hex_piece(line);
        return is_pdu ? take_pdu_piece(line) : take_piece(line);
    }
    answer_.hear();
    stray_ok_ = false;
    tell_pdu();
    if (takes_pdu) {
        answer_.expect_pdu(line);
    } else {
        answer_.complete(now_);
    }
    listener_.on_line(kind, line);
}

void AtChannel::take_pdu_piece(std::string_view line) {
    answer_.hear();
    if (answer_.add_pdu(line)) {
        answer_.complete(now_);
        tell_pdu();
    }
}

/// Whole, or what came of it until the next header or the end.
void AtChannel::tell_pdu() {
    if (const std::string pdu = answer_.take_pdu(); !pdu.empty()) {
        listener_.on_line(LineKind::data, pdu);
    }
}

/// A line that is nothing by itself may be the second half of one that a URC cut.
void AtChannel::take_piece(std::string_view line) {
    ++dropped_lines_;
    if (busy_) {
        answer_.hear();
        const std::string joined = answer_.joined(line);
        const auto kind = classify(joined, context(), urcs_);
        if (answer_.has_piece() &&
            (kind == LineKind::final_result || kind == LineKind::intermediate)) {
            answer_.drop_piece();
            listener_.on_heard(kind, joined);
            return take_kind(kind, joined);
        }
        answer_.keep_piece(line);
        if (is_torn_ok(line) && (answer_.is_answered() || !has_information(command_))) {
            answer_.is_half_ok(now_);
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
