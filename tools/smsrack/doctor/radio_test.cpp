#include "tools/smsrack/doctor/radio_test.hpp"

#include "src/wire/json.hpp"
#include "tools/client/http_client.hpp"
#include "tools/smsrack/rack/service.hpp"
#include "tools/smsrack/screen/json_fields.hpp"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <utility>

namespace smsrack::cli {
namespace {

using namespace std::chrono_literals;

/// Each of these comes before the first octet: see HttpClient.
bool surely_unsent(Errc code) {
    return code == Errc::no_device || code == Errc::not_allowed;
}

constexpr auto answer_limit = 10s;
constexpr auto order_limit = 60s;  // of a disk that is busy: 202 means that it is written
constexpr auto look_again = 1s;

/// A line that is not ready now and not drained: it may become ready.
bool may_come(const wire::Json& modem) {
    return text_of(modem, "link") != "active" && text_of(modem, "manual") == "open";
}

class RadioTester {
public:
    RadioTester(const RadioLimits& limits, const FirmwareBox& box, Context& context)
        : limits_(limits), box_(box), context_(context) {}

    RadioTest run() {
        const SteadyTime last = box_.clock.steady() + limits_.lines;
        for (;;) {
            auto asked = ask();
            if (!asked) {
                return std::move(asked.error());
            }
            if (asked->possible) {
                return wait_for(*asked);
            }
            if (box_.clock.steady() >= last || (!asked->later && !waiting_helps())) {
                return {.verdict = asked->later ? RadioVerdict::failed : RadioVerdict::not_possible,
                        .words = asked->words};
            }
            context_.console.progress((asked->later ? "" : "waiting for two modems: ") +
                                      asked->words);
            if (box_.wait(look_again)) {
                return {.verdict = RadioVerdict::interrupted, .words = "interrupted"};
            }
        }
    }

private:
    struct Asked {
        bool possible = false;
        bool later = false;      ///< the service was not reached, or has no time now
        std::string words = {};  ///< why not; or from where to where
        std::string id = {};
    };

    std::expected<Asked, RadioTest> ask() {
        client::HttpClient client(context_.socket, {.idle_timeout = order_limit});
        const auto reply = client.call({.method = "POST",
                                        .target = "/v1/self-sms",
                                        .headers = {{"Content-Type", "application/json"}},
                                        .body = "{}"});
        const auto body = reply ? wire::parse_json(reply->body) : std::unexpected(reply.error());
        const wire::Json said = body && body->is_object() ? *body : wire::Json::object();
        if (reply && reply->status() == 409) {
            return Asked{.words = printable(text_of(said, "detail"))};
        }
        if (reply && reply->status() == 404) {
            return Asked{.words = "this version of the service does not know it"};
        }
        if (reply && reply->ok() && !text_of(said, "id").empty()) {
            return Asked{
                .possible = true,
                .words = fmt::format("from the group {} to {}", printable(text_of(said, "group")),
                                     printable(text_of(said, "to"))),
                .id = text_of(said, "id")};
        }
        // Only what surely was not taken is asked for again: each such message is paid for.
        const bool not_reached = !reply && surely_unsent(reply.error().code);
        const bool later =
            not_reached || (reply && (reply->status() == 429 || reply->status() >= 500));
        std::string words =
            (reply || not_reached
                 ? "the service did not accept the message: "
                 : "the service may have accepted the message, but did not say so: ") +
            (reply ? printable(text_of(said, "detail")) : reply.error().context);
        if (later) {
            return Asked{.later = true, .words = std::move(words)};
        }
        return std::unexpected(
            RadioTest{.verdict = RadioVerdict::failed, .words = std::move(words)});
    }

    /// Not while the operator holds the rack, nor where every line is ready, or held, already.
    bool waiting_helps() {
        Service service(context_.socket, -1, answer_limit);
        const auto status = service.get("/v1/status");
        const auto modems = service.get("/v1/modems");
        if (!status || !modems) {
            return true;
        }
        const auto holds_all = [](const wire::Json& pause) {
            return text_of(pause, "scope") == "rack";
        };
        return array_of(*modems, "modems").size() >= 2 &&
               std::ranges::none_of(array_of(*status, "pauses"), holds_all) &&
               std::ranges::any_of(array_of(*modems, "modems"), may_come);
    }

    RadioTest wait_for(const Asked& asked) {
        const SteadyTime last = box_.clock.steady() + limits_.message;
        std::string seen = "not known";
        for (;;) {
            const auto message =
                Service(context_.socket, -1, answer_limit).get("/v1/messages/" + asked.id);
            seen = message ? text_of(*message, "state") : message.error().message;
            if (seen == "delivered") {
                return {.verdict = RadioVerdict::passed,
                        .words = fmt::format("a message went {}", asked.words)};
            }
            constexpr std::array<std::string_view, 4> ends{"undelivered", "failed", "expired",
                                                           "cancelled"};
            const bool ended = std::ranges::find(ends, seen) != ends.end();
            if (ended || box_.clock.steady() >= last) {
                return {.verdict = RadioVerdict::failed,
                        .words = fmt::format(
                            "the message {} {}: message {} is {} (`smsrack explain {}`)",
                            asked.words, ended ? "did not arrive" : "did not arrive in time",
                            asked.id, printable(seen), asked.id)};
            }
            context_.console.progress(
                fmt::format("a message {}: {}", asked.words, printable(seen)));
            if (box_.wait(look_again)) {
                return {.verdict = RadioVerdict::interrupted, .words = "interrupted"};
            }
        }
    }

    const RadioLimits limits_;
    const FirmwareBox& box_;
    Context& context_;
};

}  // namespace

RadioTest radio_test(const RadioLimits& limits, const FirmwareBox& box, Context& context) {
    RadioTest test = RadioTester(limits, box, context).run();
    context.console.end_progress();
    return test;
}

}  // namespace smsrack::cli
