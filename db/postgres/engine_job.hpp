/// A command on its way to the engine, whatever its type.
///
/// Threads: made by the thread that posts it, then the engine's.
#pragma once

#include "db/postgres/rows.hpp"
#include "db/postgres/sql_error.hpp"
#include "db/postgres/statements.hpp"
#include "src/base/interface.hpp"
#include "src/ports/cluster_engine.hpp"

#include <concepts>
#include <optional>
#include <type_traits>
#include <utility>

namespace smsrack::postgres {

/// What a command needs of the connection that carries it.
enum class Need : std::uint8_t {
    nothing,
    seat,   ///< entered on this connection, or nothing of an earlier one is open
    enter,  ///< it gives the seat
};

class EngineJob : public Interface {
public:
    EngineJob(Sql sql, Need need) : sql_(std::move(sql)), need_(need) {}

    [[nodiscard]] const Sql& sql() const { return sql_; }
    [[nodiscard]] Need need() const { return need_; }

    /// The rows of its call; its transaction is not committed yet.
    virtual void read(const Rows& rows) = 0;
    virtual void note_two_disks(bool two_disks) = 0;
    // -- one of them, once
    virtual void finish() = 0;  ///< its transaction is committed
    virtual void fail(Error error) = 0;

    int tries = 1;

private:
    const Sql sql_;
    const Need need_;
};

template <typename Command>
inline constexpr Need need_of =
    std::same_as<Command, ports::EnterFleet> ? Need::enter
    : std::same_as<Command, ports::RegisterBox> || std::same_as<Command, ports::CheckEngine>
        ? Need::nothing
        : Need::seat;

template <typename Command>
class JobOf final : public EngineJob {
public:
    using Answer = typename Command::Answer;

    explicit JobOf(ports::Posted<Command> posted)
        : EngineJob(sql_of(posted.command), need_of<Command>), posted_(std::move(posted)) {}

    void read(const Rows& rows) override {
        if constexpr (!std::is_void_v<Answer>) {
            answer_ = answer_of(posted_.command, rows);
        }
    }
    void note_two_disks(bool two_disks) override {
        if constexpr (requires { answer_->two_disks; }) {
            answer_->two_disks = two_disks;
        }
    }
    void finish() override {
        if constexpr (std::is_void_v<Answer>) {
            posted_.answer({});
        } else {
            posted_.answer(std::move(*answer_));
        }
    }
    void fail(Error error) override { posted_.answer(std::unexpected(std::move(error))); }

private:
    struct Nothing {};
    ports::Posted<Command> posted_;
    std::optional<std::conditional_t<std::is_void_v<Answer>, Nothing, Answer>> answer_ = {};
};

}  // namespace smsrack::postgres
