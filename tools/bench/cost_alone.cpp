#include "tools/bench/cost_alone.hpp"

#include "tools/client/http_client.hpp"
#include "tools/rig/message_form.hpp"
#include "tools/rig/rack.hpp"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace smsrack::bench {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr unsigned modems = 8;
constexpr auto settle = 3s;  // what a start writes

// An accepted submit ends some 80 ms after its POST: 60 ms of service, 13 ms of wire at 115200 baud.
const std::vector<std::string> without_reports{"--service-ms", "60",          "--baud",
                                               "115200",       "--report-ms", "-1"};
const std::vector<std::string> with_reports{"--service-ms", "60",          "--baud",
                                            "115200",       "--report-ms", "130"};
constexpr milliseconds begun_by{45};  // the modem has the PDU
// An end waits up to 100 ms for a commit that it shares; the report comes at 210 ms.
constexpr milliseconds ended_by{195};
constexpr milliseconds without_report_over{166};
constexpr milliseconds with_report_over{250};

/// Ends a step of each message; what it cost is added to `sum`.
struct Step {
    milliseconds until;  // since the message came
    rig::ServiceCost& sum;
};

/// A service that is looked at between the steps.
class Watched {
public:
    Watched(const Context& context, std::unique_ptr<rig::Rack> rack)
        : context_(context), rack_(std::move(rack)), client_(rack_->socket().string(), {}) {}

    [[nodiscard]] const rig::Rack& rack() const { return *rack_; }

    /// `bring(n)` brings message n.
    template <typename Bring>
    [[nodiscard]] Result<> measure(std::size_t messages, const std::vector<Step>& steps,
                                   const Bring& bring) {
        rig::ServiceCost before;  // the first look ends nothing
        if (auto looked = look(before); !looked) {
            return looked;
        }
        for (std::size_t n = 0; n < messages; ++n) {
            const auto came = steady_clock::now();
            if (auto brought = bring(n); !brought) {
                return brought;
            }
            for (const Step& step : steps) {
                const auto left =
                    std::chrono::ceil<milliseconds>(came + step.until - steady_clock::now());
                if (context_.interrupt.rest(std::max(left, 0ms))) {
                    return rig::called_off();
                }
                if (auto looked = look(step.sum); !looked) {
                    return looked;
                }
            }
        }
        return {};
    }

    [[nodiscard]] Result<> post(const std::string& target, const wire::Json& body, int status) {
        const auto reply = client_.call({.method = "POST",
                                         .target = target,
                                         .headers = {{"Content-Type", "application/json"}},
                                         .body = body.dump()});
        if (!reply) {
            return std::unexpected(reply.error());
        }
        return reply->status() == status
                   ? Result<>()
                   : fail(Errc::protocol, fmt::format("{}: status {}", target, reply->status()));
    }

    [[nodiscard]] auto bring_message(bool report) {
        return [this, report](std::size_t n) {
            return post("/v1/messages",
                        {{"to", rig::MessageForm::recipient(n)},
                         {"text", rig::forty_letters},
                         {"ref", fmt::format("{}-{}", report, brought_++)},
                         {"report", report}},
                        202);
        };
    }

private:
    /// Adds to `sum` what happened since the look before; what this one costs is left out.
    [[nodiscard]] Result<> look(rig::ServiceCost& sum) {
        const auto until = rig::process_cost(rack_->service_pid());
        auto counts = rig::disk_counts(rack_->socket());
        auto from_now = rig::process_cost(rack_->service_pid());
        if (!until || !counts || !from_now) {
            return fail(Errc::closed, "the service ended while it was measured");
        }
        add(sum, from_, *until);
        add(sum, counts_, *counts);
        from_ = *std::move(from_now);
        counts_ = *counts;
        return {};
    }

    const Context& context_;
    std::unique_ptr<rig::Rack> rack_;
    client::HttpClient client_;
    rig::ProcessCost from_ = {};
    rig::DiskCounts counts_ = {};
    std::size_t brought_ = 0;
};

Result<std::unique_ptr<Watched>> start(const Context& context, const char* name,
                                       const std::vector<std::string>& sim_options) {
    auto rack = rig::Rack::open(context.folder / name,
                                {.modems = modems, .sim_options = sim_options}, context.interrupt);
    if (!rack) {
        return std::unexpected(rack.error());
    }
    if (auto started = (*rack)->start_service(); !started) {
        return std::unexpected(started.error());
    }
    if (context.interrupt.rest(settle)) {
        return rig::called_off();
    }
    return std::make_unique<Watched>(context, *std::move(rack));
}

Result<> measure_sending(const Context& context, std::size_t messages, AloneCost& cost) {
    const auto service = start(context, "alone", without_reports);
    if (!service) {
        return std::unexpected(service.error());
    }
    Watched& rack = **service;
    const auto sent =
        rack.measure(messages, {{begun_by, cost.accept_and_begin}, {without_report_over, cost.end}},
                     rack.bring_message(false));
    if (!sent) {
        return sent;
    }
    if (auto paused = rack.post("/v1/pause", wire::Json::object(), 200); !paused) {
        return paused;
    }
    return rack.measure(messages, {{without_report_over, cost.accept}}, rack.bring_message(false));
}

Result<> measure_receiving(const Context& context, std::size_t messages, AloneCost& cost) {
    const auto service = start(context, "reports", with_reports);
    if (!service) {
        return std::unexpected(service.error());
    }
    Watched& rack = **service;
    rig::ServiceCost before;  // with a report accept, begin and end cost slightly more
    const auto reported = rack.measure(
        messages, {{ended_by, before}, {with_report_over, cost.report}}, rack.bring_message(true));
    if (!reported) {
        return reported;
    }
    return rack.measure(messages, {{without_report_over, cost.inbound}}, [&](std::size_t n) {
        const auto given =
            rack.rack().simulate({{"do", "inbound"},
                                  {"count", 1},
                                  {"modem", n % modems},
                                  {"from", "+33611223344"},
                                  {"text", "Reply {id}: yes please, tomorrow at ten"}});
        return given ? Result<>() : std::unexpected(given.error());
    });
}

}  // namespace

Result<AloneCost> measure_alone(const Context& context, std::size_t messages) {
    AloneCost cost;
    if (auto sent = measure_sending(context, messages, cost); !sent) {
        return std::unexpected(sent.error());
    }
    if (auto received = measure_receiving(context, messages, cost); !received) {
        return std::unexpected(received.error());
    }
    return cost;
}

}  // namespace smsrack::bench
