#include "src/api/submit/ndjson_submit.hpp"

#include "src/api/problem.hpp"
#include "src/api/submit/submit_reader.hpp"
#include "src/api/submit/submitter.hpp"
#include "src/wire/shared_body.hpp"

#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

constexpr std::string_view mark_begin = "lines ";

}  // namespace

std::unique_ptr<wire::BodyReader> NdjsonSubmit::begin(const ApiParts& parts,
                                                      std::shared_ptr<BulkWindow> window,
                                                      Caller caller, const wire::HttpRequest& head,
                                                      wire::ResponderPtr responder) {
    auto submit = std::make_shared<NdjsonSubmit>(parts, std::move(window), std::move(caller),
                                                 std::string(head.header("smsrack-client")),
                                                 std::move(responder), wire::LinePlace());
    submit->responder_->begin({.content_type = "application/x-ndjson"}, std::chrono::seconds(0),
                              {});
    submit->say_where();
    return std::make_unique<wire::SharedBody<NdjsonSubmit>>(std::move(submit));
}

bool NdjsonSubmit::is_mark(std::string_view mark) {
    return mark.starts_with(mark_begin);
}

std::unique_ptr<wire::BodyReader> NdjsonSubmit::resume(const ApiParts& parts,
                                                       std::shared_ptr<BulkWindow> window,
                                                       Caller caller, std::string_view mark,
                                                       wire::ResponderPtr responder) {
    mark.remove_prefix(mark_begin.size());
    const std::size_t name = mark.find(' ');
    auto place = name == std::string_view::npos ? std::nullopt
                                                : wire::read_line_place(mark.substr(name + 1));
    if (!place) {
        responder->cut();
        return nullptr;
    }
    auto submit = std::make_shared<NdjsonSubmit>(parts, std::move(window), std::move(caller),
                                                 std::string(mark.substr(0, name)),
                                                 std::move(responder), *std::move(place));
    submit->say_where();
    return std::make_unique<wire::SharedBody<NdjsonSubmit>>(std::move(submit));
}

NdjsonSubmit::NdjsonSubmit(const ApiParts& parts, std::shared_ptr<BulkWindow> window, Caller caller,
                           std::string client, wire::ResponderPtr responder, wire::LinePlace place)
    : parts_(parts),
      responder_(std::move(responder)),
      caller_(std::move(caller)),
      client_(std::move(client)),
      answers_(std::make_shared<Handover<Answer>>(
          parts.loop,
          [](std::vector<Answer>& answers) {
              for (Answer& answer : answers) {
                  answer.of->answered(answer.place, std::move(answer.result));
              }
              answers.front().of->read_lines();
          })),
      splitter_(std::move(place)),
      room_(std::move(window)) {}

void NdjsonSubmit::data(std::string_view piece) {
    held_ += piece;
    read_lines();
}

void NdjsonSubmit::end() {
    body_ended_ = true;
    read_lines();
}

void NdjsonSubmit::stopped() {
    splitter_.forget_half();
    held_.erase(held_.rfind('\n') + 1);  // without one: all
    end();
}

void NdjsonSubmit::aborted() {
    gone_ = true;
    held_.clear();
}

void NdjsonSubmit::read_lines() {
    write_answers();  // first: it makes room
    if (gone_) {
        return;
    }
    std::string_view rest = held_;
    while (has_room()) {
        const auto line = splitter_.next(rest);
        if (!line) {
            break;
        }
        take_line(*line);
    }
    held_.erase(0, held_.size() - rest.size());
    responder_->pause_body(!held_.empty());
    if (body_ended_ && held_.empty()) {
        if (const auto line = splitter_.last()) {
            take_line(*line);
        }
    }
    write_answers();
    count_held();
    end_if_done();
    say_where();
}

/// A line in flight is there three times: its text, its message, and the write of its row.
void NdjsonSubmit::count_held() {
    constexpr std::size_t bytes_each = 512;
    responder_->holds(held_.size() + 3 * room_.bytes() + bytes_each * slots_.size());
}

/// Lines that are refused at once wait for no one: their places are free when they are written.
bool NdjsonSubmit::has_room() {
    if (!room_.has_room()) {
        write_answers();
    }
    return room_.has_room();
}

void NdjsonSubmit::take_line(const wire::LineSplitter::Line& line) {
    parts_.stats.add(stats::Counter::ndjson_lines);
    const std::uint64_t place = first_ + slots_.size();
    slots_.push_back({.line = line.number, .bytes = line.text.size()});
    room_.take(line.text.size());
    if (line.too_long) {
        answered(place, fail(Errc::payload_too_large, "a line of more than 64 KiB"));
        return;
    }
    auto submit = read_submit(line.text);
    if (submit && submit->client.empty()) {
        submit->client = client_;
    } else if (submit && !client_.empty() && submit->client != client_) {
        submit = fail(Errc::bad_request, "client: not the Smsrack-Client of the header");
    }
    if (submit) {
        if (auto owned = own_submit(*submit, caller_); !owned) {
            submit = std::unexpected(std::move(owned.error()));
        }
    }
    if (!submit) {
        answered(place, std::unexpected(submit.error()));
        return;
    }
    slots_.back().sender = Sender(*submit);
    parts_.front_ends.heard(submit->client);
    parts_.intake.submit(
        *submit, [self = shared_from_this(), place](Result<ports::Accepted> result) {
            self->answers_->push({.of = self, .place = place, .result = std::move(result)});
        });
}

void NdjsonSubmit::answered(std::uint64_t place, Result<ports::Accepted> result) {
    Slot& slot = slots_.at(static_cast<std::size_t>(place - first_));
    count_submit(parts_, slot.sender, result);
    slot.answer = std::move(result);
}

void NdjsonSubmit::write_answers() {
    std::string out;
    while (!slots_.empty() && slots_.front().answer) {
        wire::JsonWriter json(out);
        const Result<ports::Accepted>& answer = *slots_.front().answer;
        if (answer) {
            append_accepted(json, *answer);
        } else {
            json.object([&] {
                json.key("error");
                append_problem(json, answer.error(), slots_.front().line);
            });
        }
        out += '\n';
        room_.give_back(1, slots_.front().bytes);
        slots_.pop_front();
        ++first_;
    }
    if (!gone_) {
        responder_->write(out);
    }
}

void NdjsonSubmit::end_if_done() {
    if (body_ended_ && held_.empty() && slots_.empty()) {
        responder_->end();
    }
}

/// With nothing in flight, another process can continue with the next line.
void NdjsonSubmit::say_where() {
    if (gone_ || body_ended_ || !held_.empty() || !slots_.empty()) {
        responder_->resumable(nullptr);
        return;
    }
    responder_->resumable([this] {
        return std::string(mark_begin) + client_ + " " + wire::line_place_text(splitter_.place());
    });
}

}  // namespace smsrack::api
