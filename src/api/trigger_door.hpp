/// The part of the trigger engine that the API calls, with the promises of trigger::Engine.
///
/// Threads: the loop thread; answers come on it too.
#pragma once

#include "src/ports/store.hpp"
#include "src/trigger/engine.hpp"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace smsrack::api {

class TriggerDoor {
public:
    TriggerDoor() = default;
    TriggerDoor(const TriggerDoor&) = delete;
    TriggerDoor& operator=(const TriggerDoor&) = delete;
    virtual ~TriggerDoor() = default;

    [[nodiscard]] virtual const trigger::EventForm* form(std::string_view trigger) const = 0;
    [[nodiscard]] virtual Result<> offer(std::string_view trigger,
                                         std::span<const trigger::Event> events,
                                         ports::Done<trigger::Counts> done) = 0;
    virtual void on_room(std::function<void()> room) = 0;
    [[nodiscard]] virtual trigger::EngineView view() const = 0;
    virtual void trace(std::string_view trigger, std::string_view number, std::string_view topic,
                       ports::Done<trigger::Trace> done) = 0;
    [[nodiscard]] virtual Result<> start_rebuild() = 0;
};

/// The engine itself, which outlives the door.
class EngineDoor final : public TriggerDoor {
public:
    explicit EngineDoor(trigger::Engine& engine) : engine_(engine) {}

    [[nodiscard]] const trigger::EventForm* form(std::string_view trigger) const override {
        return engine_.form(trigger);
    }
    [[nodiscard]] Result<> offer(std::string_view trigger, std::span<const trigger::Event> events,
                                 ports::Done<trigger::Counts> done) override {
        return engine_.offer(trigger, events, std::move(done));
    }
    void on_room(std::function<void()> room) override { engine_.on_room(std::move(room)); }
    [[nodiscard]] trigger::EngineView view() const override { return engine_.view(); }
    void trace(std::string_view trigger, std::string_view number, std::string_view topic,
               ports::Done<trigger::Trace> done) override {
        engine_.trace(trigger, number, topic, std::move(done));
    }
    [[nodiscard]] Result<> start_rebuild() override { return engine_.start_rebuild(); }

private:
    trigger::Engine& engine_;
};

}  // namespace smsrack::api
