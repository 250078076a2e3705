#include "src/api/ndjson_submit.hpp"

#include "src/api/problem.hpp"
#include "src/api/submit_reader.hpp"
#include "src/api/submitter.hpp"

#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

/// The session's half: it goes with the body, the other half with the last answer.
class Reader final : public wire::BodyReader {
public:
    explicit Reader(std::shared_ptr<NdjsonSubmit> submit) : submit_(std::move(submit)) {}
    void data(std::string_view piece) override { submit_->data(piece); }
    void end() override { submit_->end(); }
    void aborted() override { submit_->aborted(); }

private:
    std::shared_ptr<NdjsonSubmit> submit_;
};

}  // namespace

std::unique_ptr<wire::BodyReader> NdjsonSubmit::begin(const ApiParts& parts,
                                                      wire::ResponderPtr responder) {
    auto submit = std::make_shared<NdjsonSubmit>(parts, std::move(responder));
    submit->responder_->begin({.content_type = "application/x-ndjson"}, std::chrono::seconds(0),
                              {});
    return std::make_unique<Reader>(std::move(submit));
}

NdjsonSubmit::NdjsonSubmit(const ApiParts& parts, wire::ResponderPtr responder)
    : parts_(parts),
      responder_(std::move(responder)),
      answers_(std::make_shared<Handover<Answer>>(parts.loop, [](std::vector<Answer>& answers) {
          for (Answer& answer : answers) {
              answer.of->answered(answer.place, std::move(answer.result));
          }
          answers.front().of->read_lines();
      })) {}

void NdjsonSubmit::data(std::string_view piece) {
    held_ += piece;
    read_lines();
}

void NdjsonSubmit::end() {
    body_ended_ = true;
    read_lines();
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
    end_if_done();
}

/// Lines that are refused at once wait for nobody: their places are free when they are written.
bool NdjsonSubmit::has_room() {
    if (slots_.size() >= in_flight_max) {
        write_answers();
    }
    return slots_.size() < in_flight_max;
}

void NdjsonSubmit::take_line(const wire::LineSplitter::Line& line) {
    parts_.stats.add(stats::Counter::ndjson_lines);
    const std::uint64_t place = first_ + slots_.size();
    slots_.push_back({.line = line.number});
    if (line.too_long) {
        answered(place, fail(Errc::payload_too_large, "a line of more than 64 KiB"));
        return;
    }
    const auto submit = read_submit(line.text);
    if (!submit) {
        answered(place, std::unexpected(submit.error()));
        return;
    }
    parts_.intake.submit(
        *submit, [self = shared_from_this(), place](Result<ports::Accepted> result) {
            self->answers_->push({.of = self, .place = place, .result = std::move(result)});
        });
}

void NdjsonSubmit::answered(std::uint64_t place, Result<ports::Accepted> result) {
    count_submit(parts_.stats, result);
    slots_.at(place - first_).answer = std::move(result);
}

void NdjsonSubmit::write_answers() {
    std::string out;
    while (!slots_.empty() && slots_.front().answer) {
        wire::JsonWriter json(out);
        const Result<ports::Accepted>& answer = *slots_.front().answer;
        if (answer) {
            append_accepted(json, *answer);
        } else {
            json.begin_object();
            json.key("error");
            append_problem(json, answer.error(), slots_.front().line);
            json.end_object();
        }
        out += '\n';
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

}  // namespace smsrack::api
