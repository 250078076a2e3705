#include "src/api/box_question.hpp"

#include "src/api/page_size.hpp"
#include "src/api/problem.hpp"
#include "src/api/shortened.hpp"
#include "src/base/utf8.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace smsrack::api {
namespace {

using Param = std::pair<std::string, std::string>;

// Rows of a page, at most: what a narrow link carries in seconds.
constexpr int few_rows = 25;

constexpr int first_refusal = 400;

wire::HttpResponse handed_on(const std::string& box, Result<ports::BoxAnswer> answer) {
    if (!answer) {
        return problem(answer.error());
    }
    constexpr int unavailable = 503;
    if (answer->body.empty() || answer->status == unavailable) {
        return problem({.code = Errc::busy,
                        .context = box + " can't answer now",
                        .retry_after = std::chrono::seconds(1)});
    }
    return {.status = answer->status,
            .content_type =
                answer->status < first_refusal ? "application/json" : "application/problem+json",
            .body = std::move(answer->body)};
}

bool is_too_large(const std::string& body) {
    return octets_in_letter(body) > ports::box_answer_max;
}

/// Keeps the answer of a call that answers at once and as a whole.
class Answer final : public wire::Responder {
public:
    explicit Answer(std::function<void(ports::BoxAnswer)> done) : done_(std::move(done)) {}
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;
    ~Answer() override { cut(); }

    void send(wire::HttpResponse response) override {
        if (is_too_large(response.body)) {
            response.body = shortened(response.body);
        }
        if (is_too_large(response.body)) {
            response = problem({.code = Errc::payload_too_large,
                                .context = "the answer of the other box has more than 12 KiB: ask "
                                           "that box itself"});
        }
        give({.status = response.status, .body = std::move(response.body)});
    }
    void begin(wire::HttpResponse /*response*/, std::chrono::seconds /*filler_every*/,
               std::string /*filler*/) override {
        cut();
    }
    void write(std::string_view /*piece*/) override {}
    void end() override {}
    void cut() final { give({.status = 503, .body = {}}); }
    void revoke() override { cut(); }
    [[nodiscard]] std::size_t backlog() const override { return 0; }
    void on_drained(Job then) override { then(); }
    [[nodiscard]] bool closed() const override { return !done_; }
    void on_closed(Job /*then*/) override {}
    void resumable(std::move_only_function<std::string()> /*mark*/) override {}
    void mark_front(std::string /*front*/) override {}
    void pause_body(bool /*paused*/) override {}
    void holds(std::size_t /*bytes*/) override {}
    [[nodiscard]] std::size_t room() const override { return ports::box_answer_max; }

private:
    void give(ports::BoxAnswer answer) {
        if (const auto done = std::exchange(done_, nullptr)) {
            done(std::move(answer));
        }
    }

    std::function<void(ports::BoxAnswer)> done_;  // empty: it was given
};

/// A page may have less rows than it is asked for; one that asks for nonsense is refused by the other box.
void limit_rows(std::vector<Param>& params) {
    const auto named = std::ranges::find(params, "limit", &Param::first);
    if (named == params.end()) {
        params.emplace_back("limit", std::to_string(few_rows));
        return;
    }
    int rows = 0;
    const std::string& text = named->second;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), rows);
    if (read.ec == std::errc() && read.ptr == text.data() + text.size() && rows > few_rows) {
        named->second = std::to_string(few_rows);
    }
}

/// nullopt: it may be asked.
std::optional<Error> refusal_of(const Call& call, const Route& route) {
    const auto bad = [](std::string words) {
        return Error{.code = Errc::bad_request, .context = std::move(words)};
    };
    if (call.parts.fleet == nullptr) {
        return bad("box: this box is in no fleet: it has no [cluster]");
    }
    if (route.of_box == OfBox::own) {
        return bad("box: this call is answered by the box that gets it");
    }
    if (!call.caller.may(Role::read)) {
        return Error{.code = Errc::forbidden,
                     .context =
                         "box: a caller that sees its own messages alone sees them at the "
                         "box that accepted them"};
    }
    const bool is_text = is_utf8(call.request.path) &&
                         std::ranges::all_of(call.request.params, [](const Param& param) {
                             return is_utf8(param.first) && is_utf8(param.second);
                         });
    return is_text ? std::nullopt : std::optional(bad("the path or a parameter is not UTF-8"));
}

}  // namespace

bool is_of_another_box(Call& call, const Route& route) {
    auto& params = call.request.params;
    const auto named = std::ranges::find(params, "box", &Param::first);
    if (named == params.end()) {
        return false;
    }
    const auto refused = refusal_of(call, route);
    if (refused) {
        answer_problem(call, *refused);
        return true;
    }
    const std::string box = std::move(named->second);
    params.erase(named);
    if (box == call.parts.fleet->facts().name) {
        return false;
    }
    if (route.of_box == OfBox::list) {
        limit_rows(params);
    }
    call.parts.fleet->ask(
        box, {.path = call.request.path, .params = std::move(params), .masked = call.caller.masked},
        {.name = call.caller.name, .is_admin = call.caller.may(Role::admin)},
        [&loop = call.parts.loop, responder = call.responder,
         box](Result<ports::BoxAnswer> answer) mutable {
            loop.post(
                [responder = std::move(responder), box, answer = std::move(answer)]() mutable {
                    responder->send(handed_on(box, std::move(answer)));
                });
        });
    return true;
}

wire::ResponderPtr answer_of_question(std::function<void(ports::BoxAnswer)> done) {
    return std::make_shared<Answer>(std::move(done));
}

}  // namespace smsrack::api
