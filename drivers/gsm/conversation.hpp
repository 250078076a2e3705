/// Speaks with one modem: gives the turn to one speaker at a time, passes on what is heard, and says what
/// follows for the modem's life.
///
/// Time:    no call waits; hear() and give_turn() when deadline() is over.
#pragma once

#include "drivers/gsm/speakers.hpp"

#include <optional>
#include <string_view>
#include <vector>

namespace smsrack::gsm {

class Conversation final : private at::AtListener {
public:
    /// All outlive this object. `recorder` keeps all that is said.
    Conversation(const Profile& profile, const ModemSettings& settings, const ModemStatus& status,
                 Reporter& reporter, FlightRecorder& recorder);

    [[nodiscard]] Speakers& speakers() { return speakers_; }
    [[nodiscard]] const Speakers& speakers() const { return speakers_; }

    // -- the port
    /// Speaks through `pipe` from now on; null: through none.
    void attach(serial::BytePipe* pipe);
    [[nodiscard]] at::ChannelCarried carried() const { return channel_.carried(); }
    /// Continues what an earlier owner of the port had in flight: nothing, or a submit.
    void adopt(serial::BytePipe* pipe, const at::ChannelCarried& carried);
    [[nodiscard]] bool is_busy() const { return channel_.is_busy(); }
    /// The SIM must be read, since it may be another one.
    [[nodiscard]] bool has_sim_news() const { return sim_news_.has_value(); }
    /// Bytes that belong to no command.
    void write_raw(std::string_view bytes) { channel_.write_raw(bytes); }

    // -- turns
    /// Reads what came, and ends what has taken too long. Raises port_lost.
    void hear(SteadyTime now);
    /// What follows from the time that went by.
    void tick(SteadyTime now);
    /// Starts the next command, if the modem can take one.
    void give_turn(SteadyTime now);
    [[nodiscard]] SteadyTime deadline();
    /// The speaker whose command is outstanding does not get its final result.
    void forget_turn() { current_ = nullptr; }
    /// The same, and its final result is a stray one.
    void abandon();

    // -- what follows
    void raise(std::optional<Trigger> trigger);
    [[nodiscard]] bool has_triggers() const { return !triggers_.empty(); }
    [[nodiscard]] std::vector<Trigger> take_triggers();
    /// The state has changed.
    void entered();

private:
    void on_written(std::string_view line) override { recorder_.wrote(line); }
    void on_heard(at::LineKind kind, std::string_view line) override {
        recorder_.heard(kind, line);
    }
    void on_prompt() override;
    void on_line(at::LineKind kind, std::string_view line) override;
    void on_piece(std::string_view line) override;
    void on_final(at::FinalResult result) override;
    void on_urc(std::string_view line, std::string_view pdu) override;
    void on_stray_final(at::FinalResult result) override;
    void on_event(std::string_view line);
    void on_late(std::string_view line);

    /// What follows from the end of a command; an answer that came torn is no silence yet.
    [[nodiscard]] std::optional<Trigger> judge(const Speaker& speaker, at::FinalResult result,
                                               std::optional<Trigger> trigger);
    void heed_noise();
    [[nodiscard]] std::optional<Trigger> sim_trigger() const;
    [[nodiscard]] bool may_doze() const;

    const Profile& profile_;
    const ModemStatus& status_;
    FlightRecorder& recorder_;
    at::AtChannel channel_;
    Speakers speakers_;
    Speaker* current_ = nullptr;          // whose command is outstanding
    std::vector<Trigger> triggers_;       // of this step, not yet taken
    std::optional<Event> sim_news_ = {};  // sim_removed or sim_inserted, and another card was known
    SteadyTime now_ = {};
};

}  // namespace smsrack::gsm
