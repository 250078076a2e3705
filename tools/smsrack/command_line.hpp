/// The options and arguments of the command line, as options of one command.
///
/// Errors:  usage, with the sentence that says what is wrong and where help is.
#pragma once

#include "tools/smsrack/batch_command.hpp"
#include "tools/smsrack/cancel_command.hpp"
#include "tools/smsrack/clients_command.hpp"
#include "tools/smsrack/completion_command.hpp"
#include "tools/smsrack/config_command.hpp"
#include "tools/smsrack/db_command.hpp"
#include "tools/smsrack/doctor_command.hpp"
#include "tools/smsrack/drain_command.hpp"
#include "tools/smsrack/explain_command.hpp"
#include "tools/smsrack/export_command.hpp"
#include "tools/smsrack/firmware_command.hpp"
#include "tools/smsrack/hand_command.hpp"
#include "tools/smsrack/inbox_command.hpp"
#include "tools/smsrack/messages_command.hpp"
#include "tools/smsrack/model_command.hpp"
#include "tools/smsrack/model_scaling_command.hpp"
#include "tools/smsrack/modems_command.hpp"
#include "tools/smsrack/names_command.hpp"
#include "tools/smsrack/optout_command.hpp"
#include "tools/smsrack/outcome.hpp"
#include "tools/smsrack/pause_command.hpp"
#include "tools/smsrack/pdu_command.hpp"
#include "tools/smsrack/preview_command.hpp"
#include "tools/smsrack/scaling_command.hpp"
#include "tools/smsrack/send_command.hpp"
#include "tools/smsrack/send_file_command.hpp"
#include "tools/smsrack/show_command.hpp"
#include "tools/smsrack/slots_command.hpp"
#include "tools/smsrack/status_command.hpp"
#include "tools/smsrack/token_command.hpp"
#include "tools/smsrack/trigger_feed_command.hpp"
#include "tools/smsrack/trigger_trace_command.hpp"
#include "tools/smsrack/triggers_command.hpp"
#include "tools/smsrack/upkeep_command.hpp"
#include "tools/smsrack/watch_command.hpp"

#include <string>
#include <variant>

namespace smsrack::cli {

/// help or --version: the text to print, and there is nothing else to do.
struct JustPrint {
    std::string text = {};
};

using Command = std::variant<
    JustPrint, SendOptions, SendFileOptions, MessagesOptions, ShowOptions, ExplainOptions,
    CancelOptions, InboxOptions, ModemsOptions, ModemShowOptions, ModemResetOptions, AtOptions,
    UssdOptions, SlotsOptions, DoctorOptions, StatusOptions, ReloadOptions, UpgradeOptions,
    ConfigCheckOptions, ConfigShowOptions, ModelMmcOptions, ModelScalingOptions, PduDecodeOptions,
    PduEncodeOptions, DbCheckOptions, DbBackupOptions, CompletionOptions, ModemDrainOptions,
    ModemResumeOptions, ScalingOptions, PauseOptions, BatchesOptions, BatchCancelOptions,
    OptOutListOptions, OptOutChangeOptions, TriggersOptions, TriggerShowOptions,
    TriggerRebuildOptions, TriggerTraceOptions, TriggerFeedOptions, ClientsOptions, ClientOptions,
    FirmwareStatusOptions, FirmwareInstallOptions, FirmwareConfirmOptions, FirmwareRollbackOptions,
    FirmwareRestoreOptions, FirmwareLedsOptions, FirmwareTimeOptions, TokenNewOptions,
    TokenListOptions, TokenRevokeOptions, WatchOptions, ExportOptions, PreviewOptions,
    PreviewFileOptions, NamesOptions>;

struct CommandLine {
    std::string socket = {};
    bool json = false;
    bool wide = false;   ///< tables as wide as they are, also on a narrow terminal
    bool local = false;  ///< times of this computer's zone
    Command command = {};
};

/// `default_socket`: where --socket is not given.
[[nodiscard]] Outcome<CommandLine> parse_command_line(int argc, const char* const* argv,
                                                      const std::string& default_socket);

}  // namespace smsrack::cli
