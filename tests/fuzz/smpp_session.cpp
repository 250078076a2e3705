// A whole session with an ESME, in simulated time. The input is what the ESME sends.
//
// It also decides what the other side does, so that each case has an input: the address_range of a bind has the options of the account, and
// the sequence number of a request says when it is answered, what becomes of its message, and how much time passes.
#include "src/api/submit/submit_reader.hpp"
#include "src/base/check.hpp"
#include "src/intake/submit_request.hpp"
#include "src/smpp/receipt.hpp"
#include "src/smpp/received.hpp"
#include "src/smpp/session.hpp"
#include "src/smpp/submission.hpp"
#include "src/wire/json.hpp"
#include "tests/fuzz/input.hpp"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace smsrack::fuzz {
namespace {

using smpp::Command;
using smpp::Status;
using std::chrono::seconds;

constexpr WallTime date{std::chrono::seconds(1'795'000'000)};
constexpr std::array<std::string_view, 5> codes{"", "tp_status_65", "cms_42", "outcome_unknown",
                                                "no_report"};

/// What a sequence number says of its request.
struct Plan {
    explicit Plan(std::uint32_t sequence)
        : waits((sequence & 3U) == 3),
          ends_waiting((sequence & 3U) == 0),
          state(static_cast<MessageState>((sequence >> 2U) % message_state_names.size())),
          code(codes.at((sequence >> 6U) % codes.size())),
          time(sequence >> 10U & 0x7FU),
          unbinds((sequence >> 30U & 1U) != 0) {}

    bool waits;         ///< for its answer
    bool ends_waiting;  ///< those that wait are answered now
    MessageState state;
    std::string_view code;
    seconds time;
    bool unbinds;  ///< the operator ends the session
};

/// What is delivered can be read, whatever it was made of.
void check_delivery(const smpp::Message& message) {
    const auto again = smpp::decode(
        smpp::encode({.header = {.command = Command::deliver_sm, .sequence = 1}, .body = message}));
    SMSRACK_CHECK(again.has_value());
    SMSRACK_CHECK(std::get<smpp::Message>(again->body).short_message == message.short_message);
    SMSRACK_CHECK(std::get<smpp::Message>(again->body).tlvs == message.tlvs);
}

/// The service reads it, and reads the same.
void check_line(const smpp::Submission& submission) {
    const smpp::Content& content = submission.content;
    const auto read = api::read_submit(smpp::line_of(submission, "ref-1"));
    SMSRACK_CHECK(read.has_value());
    if (const auto members = intake::check_members(*read); !members) {
        constexpr std::array mistakes{"text: empty", "data: empty", "udh: the place"};
        SMSRACK_CHECK(std::ranges::any_of(mistakes, [&](std::string_view mistake) {
            return members.error().context.starts_with(mistake);
        }));
    }
    SMSRACK_CHECK(read->to == submission.to);
    SMSRACK_CHECK((content.is_text ? read->text : read->data) == content.octets);
    SMSRACK_CHECK(read->concat.has_value() == content.place.has_value());
    SMSRACK_CHECK(read->elements == content.elements);
    SMSRACK_CHECK(read->not_before == submission.not_before);
    const auto replacement = api::read_replacement(smpp::replacement_of(submission));
    SMSRACK_CHECK(replacement.has_value());
    SMSRACK_CHECK((content.is_text ? replacement->text : replacement->data) == content.octets);
    SMSRACK_CHECK(smpp::note_of(read->note) == submission.note);
}

/// All text of a received message, whole or in parts.
std::string text_of_all(const std::vector<smpp::Message>& messages, smpp::Coding by_default) {
    constexpr std::size_t header = 6;
    std::string text;
    for (const smpp::Message& message : messages) {
        const smpp::Tlv* const payload = smpp::find(message.tlvs, smpp::Tag::message_payload);
        std::string_view octets = payload != nullptr ? payload->octets : message.short_message;
        octets.remove_prefix(messages.size() > 1 ? header : 0);
        const auto piece = smpp::text_of(octets, smpp::coding_of(message.data_coding, by_default));
        SMSRACK_CHECK(piece.has_value());
        text += *piece;
    }
    return text;
}

class Talk final : public smpp::SessionOwner {
public:
    void receive(std::string_view octets) {
        session_.receive(octets, now_);
        act();
    }

    /// The ESME says nothing more: all ends by itself.
    void end() {
        if (bind_) {
            session_.refuse_bind(now_);
        }
        answer_waiting();
        constexpr int steps_max = 2'000;  // each delivery has its time
        for (int i = 0; !session_.is_over(); ++i) {
            SMSRACK_CHECK(i < steps_max && session_.deadline() != never);
            pass(std::chrono::ceil<seconds>(session_.deadline() - now_));
        }
        check();
        session_.receive("more", now_);
        SMSRACK_CHECK(session_.take_output().empty());
    }

private:
    void bind_asked(Command, smpp::Bind bind) override {
        SMSRACK_CHECK(!bind_ && session_.state() == smpp::SessionState::open);
        bind_ = std::move(bind);
    }
    void asked(smpp::Pdu request) override { asked_.push_back(std::move(request)); }
    void delivered(std::uint32_t sequence, std::optional<Status>) override {
        SMSRACK_CHECK(in_flight_.erase(sequence) == 1);
    }
    void told(Command, Status) override {}

    /// What a gate does when octets have come.
    void act() {
        check();
        if (bind_ && bind_->password != "late") {
            answer_bind(*std::exchange(bind_, std::nullopt));
        }
        while (!asked_.empty()) {
            const smpp::Pdu request = std::move(asked_.front());
            asked_.pop_front();
            const Plan plan(request.header.sequence);
            if (plan.waits) {
                waiting_.push_back(request);
            } else {
                answer(request);
            }
            if (plan.ends_waiting) {
                answer_waiting();
            }
            if (plan.unbinds) {
                session_.unbind(now_);
            }
            check();
            pass(plan.time);
        }
        check();
    }

    void answer_bind(const smpp::Bind& bind) {
        auto account = smpp::account_of(bind.system_id, "$y$", bind.address_range.text);
        if (!account || !is_utf8(account->group)) {
            return session_.refuse_bind(now_);
        }
        account_ = *std::move(account);
        session_.bound(account_.window, now_);
    }

    void answer_waiting() {
        for (; !waiting_.empty(); waiting_.pop_back()) {
            answer(waiting_.back());
        }
    }

    void answer(const smpp::Pdu& request) {
        const smpp::Header& header = request.header;
        const Plan plan(header.sequence);
        switch (header.command) {
            case Command::submit_sm:
                return submit(header, std::get<smpp::Message>(request.body));
            case Command::data_sm:
                return submit(header, smpp::as_message(std::get<smpp::Data>(request.body)));
            case Command::submit_multi:
                return submit_multi(header, std::get<smpp::SubmitMulti>(request.body));
            case Command::query_sm:
                return session_.answer(header, Status::ok,
                                       smpp::query_answer(change(plan), plan.waits, account_));
            default:
                session_.answer(header, plan.waits ? Status::cancel_failed : Status::ok);
        }
    }

    [[nodiscard]] smpp::MessageChange change(const Plan& plan) {
        return {.id = std::to_string(++ids_),
                .state = plan.state,
                .code = std::string(plan.code),
                .at = wall()};
    }

    /// The status of its answer.
    Status take_message(const smpp::Message& message, const Plan& plan) {
        const auto submission = smpp::submission_of(message, account_, wall());
        if (!submission) {
            SMSRACK_CHECK(!smpp::status_name(submission.error()).empty());
            return submission.error();
        }
        check_line(*submission);
        const auto note = smpp::note_of(smpp::text_of_note(submission->note));
        if (const auto receipt = smpp::receipt_of(change(plan), note.value(), account_)) {
            deliver(*receipt);
        }
        echo(*submission);
        return Status::ok;
    }

    void submit(const smpp::Header& header, const smpp::Message& message) {
        const Status status = take_message(message, Plan(header.sequence));
        session_.answer(header, status,
                        status == Status::ok
                            ? smpp::Body(smpp::MessageAnswer{.message_id = std::to_string(ids_)})
                            : smpp::Body());
    }

    void submit_multi(const smpp::Header& header, const smpp::SubmitMulti& multi) {
        smpp::SubmitMultiAnswer body{.message_id = "1"};
        for (const smpp::MultiDestination& destination : multi.destinations) {
            const Status status =
                take_message(smpp::as_message(multi, destination), Plan(header.sequence));
            if (status != Status::ok) {
                body.refused.push_back({.address = destination.address, .status = status});
            }
        }
        session_.answer(header, Status::ok, std::move(body));
    }

    /// The phone sends back what it got.
    void echo(const smpp::Submission& submission) {
        constexpr std::size_t parts_max = 255;
        const smpp::ReceivedMessage received{.from = submission.to,
                                             .to = "+33600000000",
                                             .octets = submission.content.octets,
                                             .is_text = submission.content.is_text};
        const auto messages = account_.incoming_parts
                                  ? smpp::parts_of(received, 7, account_.dcs0)
                                  : std::vector{smpp::whole(received, account_.dcs0)};
        SMSRACK_CHECK(!messages.empty());
        if (received.is_text && messages.size() < parts_max) {
            SMSRACK_CHECK(text_of_all(messages, account_.dcs0) == received.octets);
        }
        std::ranges::for_each(messages, [&](const smpp::Message& message) { deliver(message); });
    }

    void deliver(const smpp::Message& message) {
        check_delivery(message);
        if (session_.can_deliver() && session_.delivering() < account_.window) {
            SMSRACK_CHECK(in_flight_.insert(session_.deliver(message, now_)).second);
        }
    }

    void pass(seconds time) {
        now_ += time;
        constexpr int steps_max = 5;
        for (int i = 0; session_.deadline() <= now_; ++i) {
            SMSRACK_CHECK(i < steps_max);
            session_.step(now_);
        }
        check();
    }

    void check() {
        const std::string output = session_.take_output();
        written_.add(output);
        for (auto frame = written_.next(); frame.value(); frame = written_.next()) {
            const auto pdu = smpp::decode(**frame);
            SMSRACK_CHECK(pdu.has_value());
            check_written(pdu->header);
        }
        SMSRACK_CHECK(written_.waiting() == 0);
        SMSRACK_CHECK(session_.is_over() || session_.owed() == waiting_.size() + asked_.size());
        SMSRACK_CHECK(session_.owed() <= account_.window);
        SMSRACK_CHECK(session_.delivering() == in_flight_.size());
    }

    /// Ours have numbers of their own, in order.
    void check_written(const smpp::Header& header) {
        if (smpp::is_answer(header.command)) {
            return;
        }
        SMSRACK_CHECK(header.command == Command::enquire_link ||
                      header.command == Command::deliver_sm || header.command == Command::unbind);
        SMSRACK_CHECK(header.sequence == ++our_sequence_);
    }

    [[nodiscard]] WallTime wall() const {
        return date + std::chrono::floor<std::chrono::milliseconds>(now_ - SteadyTime{});
    }

    SteadyTime now_{};
    smpp::Session session_{*this, {}, now_};
    smpp::Account account_;
    std::optional<smpp::Bind> bind_;  // not answered
    std::deque<smpp::Pdu> asked_;
    std::vector<smpp::Pdu> waiting_;
    std::set<std::uint32_t> in_flight_;
    smpp::Frames written_;
    std::uint32_t our_sequence_ = 0;
    int ids_ = 0;
};

}  // namespace

int fuzz_smpp_session(Octets input) {
    constexpr std::size_t few = 7;
    for (const std::size_t size : {std::max<std::size_t>(input.size(), 1), few}) {
        Talk talk;
        for (std::string_view rest = text_of(input); !rest.empty();) {
            talk.receive(rest.substr(0, size));
            rest.remove_prefix(std::min(size, rest.size()));
        }
        talk.end();
    }
    return 0;
}

}  // namespace smsrack::fuzz
