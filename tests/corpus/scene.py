"""Builds a case in the corpus's form from a short description: times in seconds from the start, memory and disk in percent.

Used by own_sight.py. The same name gives the same case: identifiers are made from it.
"""
import datetime as D
import random

G=10286444544
def ts(t): 
    return t.strftime('%Y-%m-%dT%H:%M:%S.')+'%06d'%t.microsecond+'321Z'
def case(slug,title,cls,why,out=(),procs=(),mem=1024,life=300,rise=((0,15),(20,30)),cpu=None,disk=((0,14),),end=None,at=None,now=None,
         factors=(),nofactors=(),sig=(),nosig=(),ev=(),conf=None,logs=(),events=True,metrics=True,platform=True,seed=None,setto=(),v1=False,
         pause=(),resume=(),onto='kill',state=None,sandbox='auto',run=None,skew=0,gaps=(),evlate=False,code_in_log=True,reason_in_log=True):
    """procs: (t0, command, t1 or None, limit_ms, process_result json or None). out: (t, text[, stream]).
    end: request|timeout|admin|...|'none' (old event without data)|'vm' (stops by itself)|None (still running); pause/resume: times."""
    rng=random.Random(slug); rid=lambda n:''.join(rng.choice('abcdefghijklmnopqrstuvwxyz0123456789') for _ in range(n))
    base=D.datetime(2026,5,1+rng.randrange(28),rng.randrange(20),rng.randrange(50),rng.randrange(50),rng.randrange(10**6))
    T=lambda s: base+D.timedelta(seconds=s)
    sid='i'+rid(20); tid=rid(20)
    stop=at if end and at is not None else None
    last=stop if stop is not None else (run if run is not None else max([p[1][2] or p[1][0] for p in enumerate(procs)] + [o[0] for o in out]+[30])+20)
    now_s=now if now is not None else last+60
    uid=lambda: '%s-%s-4%s-a%s-%s'%(rid(8),rid(4),rid(3),rid(3),rid(12))
    ev_=[]; ex=uid(); bid,team=uid(),uid()
    def event(t,kind,data,ver='v2'):
        ev_.append({'version':ver,'id':uid(),'type':'sandbox.lifecycle.'+kind,'eventData':data,'sandboxBuildId':bid,'sandboxExecutionId':ex,'sandboxId':sid,'sandboxTeamId':team,'sandboxTemplateId':tid,'timestamp':ts(T(t))})
    event(0,'created',None,'v1' if v1 else 'v2')
    L=[]
    def log(t,level,msg,svc='orchestrator',**f):
        d={'timestamp':ts(T(t)),'instanceID':sid,'envID':tid,'teamID':team,'sandboxID':sid,'buildID':'unknown','category':'default','service':svc}
        if svc!='envd': d.update(logger=svc,internal='false',pid='2144',templateID=tid)
        d.update({k:str(v) for k,v in f.items()})
        L.append((t,{'timestamp':ts(T(t)),'level':level,'message':msg,'fields':d}))
    deadline=life
    endt=lambda s: T(s).strftime('%Y-%m-%d %H:%M:%S +00:00')
    if platform:
        log(-.4,'debug','Started creating sandbox','orchestration-api'); log(.1,'info','Sandbox created','orchestration-api',end_time=endt(life))
    for t,v in setto:
        event(t,'updated',{'set_timeout':T(v).strftime('%Y-%m-%dT%H:%M:%SZ')}); deadline=v
    start=0
    marks=sorted([(t,'p') for t in pause]+[(t,'r') for t,_ in resume])
    holes=[]
    rl=dict(resume)
    pt=None
    for t,k in marks:
        if k=='p':
            event(t,'paused',{'execution':{'started_at':ts(T(start)),'vcpu_count':2,'memory_mb':mem,'execution_time':int((t-start)*1000)}})
            if platform: log(t-.2,'info','Pausing sandbox'); log(t+1,'info','Sandbox stopped')
            pt=t
        else:
            ex=uid(); start=t; event(t,'resumed',None); deadline=t+rl[t]; holes.append((pt,t)); pt=None
            if platform: log(t-.3,'debug','Started resuming sandbox','orchestration-api'); log(t+.1,'info','Sandbox created','orchestration-api',end_time=endt(deadline))
    paused_now=pt is not None
    op=2
    for p in procs:
        t0,cmd,t1,lim=p[0],p[1],p[2],(p[3] if len(p)>3 else 0); res=p[4] if len(p)>4 else None
        pid=400+rng.randrange(900); op+=1
        log(t0-.004+skew,'debug','Process start (server stream start)','envd',method='POST /process.Process/Start',operation_id=op)
        log(t0+skew,'info','Process with pid %d started'%pid,'envd',operation_id=op,event_type='process_start',pid=pid,command=cmd if cmd.startswith('!') is False and cmd.startswith('/') else '/bin/bash -l -c '+cmd,request_timeout_ms=lim)
        if t1 is not None:
            f=dict(operation_id=op,event_type='process_end',stdout_bytes=120,stderr_bytes=0,pty_bytes=0)
            if res: f['process_result']=res
            log(t1+skew,'info','Process with pid %d ended'%pid,'envd',**f)
            log(t1+.003+skew,'debug','Process start (server stream end)','envd',method='POST /process.Process/Start',operation_id=op)
    for l in logs:
        log(l[0],l[1],l[2],l[3] if len(l)>3 else 'orchestrator',**(l[4] if len(l)>4 else {}))
    def interp(pts,t):
        pts=sorted(pts); 
        if t<=pts[0][0]: return pts[0][1]
        for (a,x),(b,y) in zip(pts,pts[1:]):
            if t<=b: return x+(y-x)*(t-a)/max(b-a,1e-9)
        return pts[-1][1]
    M=[]; total=int(mem*1048576*0.968)
    span=last; step=5 if span<3600 else (30 if span<21600 else 60)
    t=step-2
    while t<last-1 and metrics:
        if not any(a<=t<b for a,b in list(holes)+list(gaps)) and not (paused_now and t>pt):
            m=interp(rise,t)+rng.random()*.6; c=min(100,max(0,(interp(cpu,t) if cpu else 35)+rng.random()*2))
            s=T(t).replace(microsecond=0)
            M.append({'timestamp':s.strftime('%Y-%m-%dT%H:%M:%SZ'),'timestampUnix':int(s.replace(tzinfo=D.timezone.utc).timestamp()),'cpuCount':2,'cpuUsedPct':round(c,2),'memUsed':int(total*min(m,99.6)/100)//4096*4096,'memTotal':total,'memCache':int(total*max(.01,.25*(1-m/100)))//4096*4096,'diskUsed':int(G*interp(disk,t)/100)//4096*4096,'diskTotal':G})
            if m>=80 and platform: log(t+.4,'warn','Memory usage threshold exceeded',mem_used_percent='%.2f'%m,mem_threshold_percent='80')
            if c>=80 and platform: log(t+.41,'warn','CPU usage threshold exceeded',cpu_used_percent='%.2f'%c,cpu_threshold_percent='80')
        t+=step
    if end:
        if end!='vm':
            data=None if end=='none' else {'execution':{'started_at':ts(T(start)),'vcpu_count':2,'memory_mb':mem,'execution_time':int((at-start)*1000)},'kill_reason':end}
            event(at,'killed',data,'v1' if end=='none' else 'v2')
            if platform:
                if reason_in_log and end!='none': log(at-.05,'info','Killing sandbox',kill_reason=end)
                else: log(at-.05,'info','Killing sandbox')
                log(at-.02,'info','Control sandbox healthcheck was successful',healthcheck='true')
        if platform: log(at+.6,'info','Sandbox stopped')
    O=[]
    for o in out:
        for i,line in enumerate(o[1].split('\n')):
            O.append((o[0]+i*.0007,{'timestamp':ts(T(o[0]+i*.0007)),'stream':o[2] if len(o)>2 else 'stderr','line':line}))
    sb=None
    if sandbox=='auto' and not end:
        sb={'templateID':tid,'alias':'base','sandboxID':sid,'clientID':'6532622b','startedAt':ts(T(start)),'endAt':ts(T(pt if paused_now else deadline)),'envdVersion':'0.6.9','allowInternetAccess':None,'domain':None,'cpuCount':2,'memoryMB':mem,'diskSizeMB':10240,'state':'paused' if paused_now else 'running','lifecycle':{'autoResume':False,'onTimeout':onto}}
    x={'class':cls,'factors':list(factors),'signature_contains':list(sig),'signature_excludes':list(nosig)+[sid],'evidence_must_mention':list(ev)}
    if conf: x['confidence_at_least']=conf
    if nofactors: x['factors_excludes']=list(nofactors)
    if sandbox is None: sb=None
    return {'id':slug,'title':title,'source':'own','sandbox':sb,'sandbox_status':200 if sb else 404,'events':ev_ if events else [],'metrics':M,'logs':[l for _,l in sorted(L,key=lambda a:a[0])],'output':[o for _,o in sorted(O,key=lambda a:a[0])],'now':ts(T(now_s)),'expect':x,'why':why}
