#include "firmware-host/gate/smpp/submit_link.hpp"

#include "firmware-host/gate/service_call.hpp"
#include "firmware-host/gate/service_request.hpp"
#include "firmware-host/gate/smpp/service_refusal.hpp"
#include "src/wire/http1.hpp"
#include "src/wire/json.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace smsrack::gate {
namespace {

std::string head_of(std::string client, std::string token) {
    ServiceRequest request{.method = "POST", .target = "/v1/messages"};
    request.set("Content-Type", "application/x-ndjson");
    request.set("Smsrack-Client", std::move(client));
    request.set("Smsrack-Token", std::move(token));
    return request.with_chunks();
}

Result<std::string> answer_of(std::string_view line) {
    // Nearly every answer begins so; its id is digits.
    constexpr std::string_view front = R"({"id":")";
    if (line.starts_with(front)) {
        line.remove_prefix(front.size());
        return std::string(line.substr(0, line.find('"')));
    }
    const auto json = wire::parse_json(line);
    if (!json || !json->is_object() || !json->contains("error") || !(*json)["error"].is_object()) {
        return fail(Errc::protocol, "the service answered what is no answer");
    }
    return std::unexpected(refusal_of((*json)["error"]));
}

}  // namespace

SubmitLink::SubmitLink(const ServiceLink& link, std::string client, std::string token, Held held)
    : link_(link),
      head_(head_of(std::move(client), std::move(token))),
      held_(std::move(held)),
      used_at_(link.clock.steady()) {}

void SubmitLink::send(std::string line, Done done) {
    line += '\n';
    unsent_ += line;
    lines_.push_back({.text = std::move(line), .done = std::move(done)});
    hold(lines_.back());
    used_at_ = link_.clock.steady();
}

void SubmitLink::hold(const Line& line) {
    bytes_ += line.text.size() + sizeof(Line);
    *held_ += line.text.size() + sizeof(Line);
}

void SubmitLink::release(const Line& line) {
    bytes_ -= line.text.size() + sizeof(Line);
    *held_ -= line.text.size() + sizeof(Line);
}

void SubmitLink::flush() {
    if (unsent_.empty() || again_ != nullptr) {
        return;
    }
    if (call_ == nullptr) {
        return ask();
    }
    write(std::exchange(unsent_, {}));
}

void SubmitLink::write(std::string_view lines) {
    std::string octets;
    wire::append_chunk(octets, lines);
    call_->write(std::move(octets));
}

/// All that has no answer is sent, again or for the first time.
void SubmitLink::ask() {
    again_.reset();
    status_ = 0;
    begun_answer_.clear();
    unsent_.clear();
    std::string all;
    for (const Line& line : lines_) {
        all += line.text;
    }
    call_ = link_.upstream.begin(head_, Upstream::Over::own, events_to(weak_from_this()));
    if (!all.empty()) {
        write(all);
    }
}

void SubmitLink::rest(SteadyTime now) {
    if (call_ != nullptr && lines_.empty() && now >= used_at_ + idle_max) {
        call_.reset();
    }
}

void SubmitLink::give_up() {
    call_.reset();
    again_.reset();
    for (const Line& line : lines_) {
        release(line);
    }
    lines_.clear();
    unsent_.clear();
}

void SubmitLink::take_head(const wire::ReplyHead& head) {
    status_ = head.status;
    if (!is_away(status_)) {
        pause_ = try_again;
    }
}

void SubmitLink::take_body(std::string_view piece) {
    if (status_ != 200) {
        return;  // a refusal: its end says what follows
    }
    begun_answer_ += piece;
    const auto self = shared_from_this();  // a callback may drop the last other owner
    std::string_view rest = begun_answer_;
    for (std::size_t end = rest.find('\n'); end != std::string_view::npos; end = rest.find('\n')) {
        take_answer(rest.substr(0, end));
        rest.remove_prefix(end + 1);
    }
    begun_answer_.erase(0, begun_answer_.size() - rest.size());
    if (begun_answer_.size() > answer_line_max) {
        lost();  // no answer of this service
    }
}

void SubmitLink::take_answer(std::string_view text) {
    if (lines_.empty()) {
        return;
    }
    auto answer = answer_of(text);
    Line line = std::move(lines_.front());
    lines_.pop_front();
    if (!answer && answer.error().code == Errc::outcome_unknown) {  // it has a ref: asked again
        unsent_ += line.text;
        lines_.push_back(std::move(line));
        return;
    }
    ++answered_;
    release(line);
    line.done(std::move(answer));
}

/// The service has gone, or goes; or it refuses the account, which it does at once and for all lines.
void SubmitLink::lost() {
    call_.reset();
    if (status_ >= 400 && status_ < 500) {
        return refuse_all({.code = Errc::internal,
                           .context = fmt::format("the service refuses the account: {}", status_)});
    }
    if (!lines_.empty()) {
        again_ = link_.loop.after(pause_, [weak = weak_from_this()] {
            if (const auto self = weak.lock()) {
                self->ask();
            }
        });
        pause_ = std::min(2 * pause_, pause_max);
    }
}

void SubmitLink::refuse_all(const Error& why) {
    const auto self = shared_from_this();
    unsent_.clear();
    for (Line& line : std::exchange(lines_, {})) {
        ++answered_;
        release(line);
        line.done(std::unexpected(why));
    }
}

}  // namespace smsrack::gate
