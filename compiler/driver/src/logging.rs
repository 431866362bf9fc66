//! Logs on standard error: `RUST_LOG` selects, `-v` is short for the usual selections.

use comet_diag::Color;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::FmtSpan;
use tracing_subscriber::fmt::time::uptime;

/// Starts logging where it is asked for; a compilation without logs does not pay for them.
pub(crate) fn start(verbosity: u8, color: Color) {
    let selection = match (std::env::var("RUST_LOG"), verbosity) {
        (Ok(selection), _) => selection,
        (Err(_), 0) => return,
        (Err(_), 1) => "info".to_owned(),
        (Err(_), 2) => "debug".to_owned(),
        (Err(_), _) => "trace".to_owned(),
    };
    let filter = EnvFilter::builder().parse_lossy(selection);
    // Steps and passes are spans: their ends are logged, with the time they took.
    let subscriber = tracing_subscriber::fmt().with_env_filter(filter).with_span_events(FmtSpan::CLOSE);
    let subscriber =
        subscriber.with_timer(uptime()).with_writer(std::io::stderr).with_ansi(color == Color::Always);
    // A second start in one process keeps the first subscriber.
    let _ = subscriber.try_init();
}
