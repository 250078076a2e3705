#include "src/api/audit.hpp"

#include "src/base/log.hpp"

#include <utility>

namespace smsrack::api {
namespace {

class AuditedResponder final : public wire::Responder {
public:
    AuditedResponder(const ApiParts& parts, ports::AuditRow row, wire::ResponderPtr inner)
        : parts_(parts), row_(std::move(row)), inner_(std::move(inner)) {}

    void send(wire::HttpResponse response) override {
        keep(response.status);
        inner_->send(std::move(response));
    }
    void begin(wire::HttpResponse response, std::chrono::seconds filler_every,
               std::string filler) override {
        keep(response.status);
        inner_->begin(std::move(response), filler_every, std::move(filler));
    }
    void write(std::string_view piece) override { inner_->write(piece); }
    void end() override { inner_->end(); }
    void cut() override { inner_->cut(); }
    void revoke() override { inner_->revoke(); }
    [[nodiscard]] std::size_t backlog() const override { return inner_->backlog(); }
    void on_drained(Job then) override { inner_->on_drained(std::move(then)); }
    [[nodiscard]] bool closed() const override { return inner_->closed(); }
    void on_closed(Job then) override { inner_->on_closed(std::move(then)); }
    void resumable(std::move_only_function<std::string()> mark) override {
        inner_->resumable(std::move(mark));
    }
    void mark_front(std::string front) override { inner_->mark_front(std::move(front)); }
    void pause_body(bool paused) override { inner_->pause_body(paused); }
    void holds(std::size_t bytes) override { inner_->holds(bytes); }
    [[nodiscard]] std::size_t room() const override { return inner_->room(); }

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
    const wire::ResponderPtr inner_;
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
    if (route.role != Role::admin || route.method == "GET") {
        return responder;
    }
    ports::AuditRow row{
        .at = parts.clock.wall(), .caller = caller.name, .call = audited_call(route, argument)};
    return std::make_shared<AuditedResponder>(parts, std::move(row), std::move(responder));
}

}  // namespace smsrack::api
