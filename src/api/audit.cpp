#include "src/api/audit.hpp"

#include "src/base/log.hpp"
#include "src/wire/wrapped_responder.hpp"

#include <utility>

namespace smsrack::api {
namespace {

class AuditedResponder final : public wire::WrappedResponder {
public:
    AuditedResponder(const ApiParts& parts, ports::AuditRow row, wire::ResponderPtr inner)
        : WrappedResponder(std::move(inner)), parts_(parts), row_(std::move(row)) {}

    void send(wire::HttpResponse response) override {
        keep(response.status);
        WrappedResponder::send(std::move(response));
    }
    void begin(wire::HttpResponse response, std::chrono::seconds filler_every,
               std::string filler) override {
        keep(response.status);
        WrappedResponder::begin(std::move(response), filler_every, std::move(filler));
    }

private:
    void keep(int status) {
        row_.status = status;
        parts_.audit.post(ports::KeepAudit{std::move(row_)},
                          [&stats = parts_.stats](const Result<>& kept) {
                              if (!kept) {
                                  stats.add(stats::Counter::audit_rows_lost);
                              }
                          });
    }

    const ApiParts& parts_;
    ports::AuditRow row_;
};

}  // namespace

std::string audited_call(const Route& route, std::string_view argument) {
    constexpr std::string_view number = "{number}";
    std::string call = std::string(route.method) + " " + std::string(route.path);
    const std::size_t brace = call.find('{');
    if (brace != std::string::npos) {
        const bool is_number = std::string_view(call).substr(brace).starts_with(number);
        call.replace(brace, call.find('}') + 1 - brace,
                     is_number ? masked_number(argument) : std::string(argument));
    }
    return call;
}

wire::ResponderPtr audited(const ApiParts& parts, const Caller& caller, const Route& route,
                           std::string_view argument, wire::ResponderPtr responder) {
    if (route.role != Role::admin || route.method == "GET" || route.reach == Reach::gate) {
        return responder;
    }
    ports::AuditRow row{
        .at = parts.clock.wall(), .caller = caller.name, .call = audited_call(route, argument)};
    return std::make_shared<AuditedResponder>(parts, std::move(row), std::move(responder));
}

}  // namespace smsrack::api
